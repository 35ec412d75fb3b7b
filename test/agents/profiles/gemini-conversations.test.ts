import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {gemini, removeEmptyTwins} from '../../../src/agents/profiles/gemini.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const id = 'db960850-7ff6-4e0d-b34a-41ca66af42c4';
const other = 'db960850-0000-4e0d-b34a-41ca66af42c4';

/** The beginning of each file: whose it is, and the words that Gemini CLI begins all of them with. */
const empty = (sessionId: string) => [
	{sessionId, kind: 'main'},
	{$set: {messages: [{type: 'user', content: [{text: '<session_context>'}]}]}},
];
const said = {id: 'm-1', type: 'user', content: [{text: 'Go'}]};

const homeWith = (files: Readonly<Record<string, readonly object[]>>) => {
	const home = temporaryFolder();
	const folder = join(home, '.gemini', 'tmp', 'tree', 'chats');
	mkdirSync(folder, {recursive: true});
	for (const [name, lines] of Object.entries(files)) {
		const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
		writeFileSync(join(folder, `session-2026-01-01T${name}.jsonl`), text);
	}

	return {home, left: () => readdirSync(folder).map(name => name.slice(19, -6))};
};

test('of a conversation only the files are left in which something was said', async () => {
	const {home, left} = homeWith({
		'10-00-db960850': [...empty(id), said],
		'10-01-db960850': empty(id),
		'10-02-db960850': [...empty(id), ...empty(id)],
		'10-05-db960850': [{sessionId: id}, {$set: {messages: [said, said]}}],
		'10-03-db960850': empty(other),
		'10-04-a091f1c3': empty('a091f1c3-b9c8-4324-905a-a1df5cf492a6'),
	});
	await removeEmptyTwins(id, {home, environment: {}});
	expect(left().toSorted()).toEqual([
		'10-00-db960850',
		'10-03-db960850',
		'10-04-a091f1c3',
		'10-05-db960850',
	]);
});

test('nothing is removed where the conversation itself is not there', async () => {
	const {home, left} = homeWith({'10-01-db960850': empty(id)});
	await removeEmptyTwins(id, {home: '/nowhere', environment: {GEMINI_CLI_HOME: home}});
	expect(left()).toEqual(['10-01-db960850']);
});

test('a pipe in the place of a conversation keeps nobody waiting', async () => {
	const {home, left} = homeWith({'10-00-db960850': [...empty(id), said]});
	const pipe = join(home, '.gemini/tmp/tree/chats/session-2026-01-01T10-01-db960850.jsonl');
	execFileSync('mkfifo', [pipe]);
	await removeEmptyTwins(id, {home, environment: {}});
	expect(left()).toEqual(['10-00-db960850', '10-01-db960850']);
});

const by = (who: 'user' | 'gemini', id: string, text: string) => ({
	...{id, type: who, content: who === 'user' ? [{text}] : text},
});

const saidIn = (...lines: readonly object[]) => {
	const {home} = homeWith({'10-00-db960850': [...empty(id), ...lines]});
	return gemini.saidIn?.(id, {home, environment: {}});
};

test('what is left of a conversation after messages were written anew, taken back and replaced is read', async () => {
	const [go, yes, no] = [
		by('user', 'm-1', 'Go'),
		by('gemini', 'm-2', 'Yes'),
		by('user', 'm-3', 'No'),
	];
	const said = [
		{by: 'person', text: 'Go'},
		{by: 'agent', text: 'Yes'},
	];
	expect(await saidIn(go, {...yes, content: 'Y'}, yes, {...yes, toolCalls: [{}]})).toEqual(said);
	expect(await saidIn(go, yes, no, by('gemini', 'm-4', 'Fine'), {$rewindTo: 'm-3'})).toEqual(said);
	const messages = [...empty(id).flatMap(({$set}) => $set?.messages ?? []), go, yes];
	expect(await saidIn(no, {$set: {messages}}, {$set: {summary: 'x'}})).toEqual(said);
	await expect(saidIn(go, yes, {$rewindTo: 'm-0'})).rejects.toThrow('has kept no conversation');
});
