import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {ToolAccess} from '../../src/tools/access.ts';
import {agent, scripted} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';
import {toolClient, wordsOf} from '../helpers/tool-client.ts';

const port = {id: 'port', question: 'Which port?', options: ['80', '8080']};

test('an agent does its whole session by tools, and its question is answered in its turn', async () => {
	await using session = await startSession({
		agents: [
			scripted({
				steps: [
					{tool: {name: 'progress', fields: {phase: 'Ports', status: 'asked 0/1'}}},
					{tool: {name: 'finding', fields: {finding: 'Ports are free', topic: 'ports'}}},
					{write: {path: '.delegate/findings.jsonl', text: '{"finding":"So are hosts"}\n'}},
					{tool: {name: 'ask', fields: {questions: [port]}}},
					{write: {path: 'src/port.txt', text: '{{port}}'}},
					{tool: {name: 'checkpoint', fields: {status: 'IN_PROGRESS', progress: 60}}},
					{write: {path: 'src/more.txt', text: 'more'}},
					{tool: {name: 'complete', fields: {status: 'success', deliverables: ['src/port.txt']}}},
				],
			}),
		],
	});
	const question = await session.item('question', 'AGT-001');
	expect(session.state().agents[0]?.listening).toHaveLength(1);
	await session.answer(question, '8080');
	const checkpoint = await session.item('checkpoint', 'AGT-001');
	expect(session.events('turn.started')).toHaveLength(1);
	await session.answer(checkpoint, 'continue');
	await session.accept('AGT-001');
	const {code} = await session.approve();

	expect(code).toBe(0);
	expect(git(session.project.root, 'show', 'main:src/port.txt')).toBe('8080');
	expect(git(session.project.root, 'show', 'main:src/more.txt')).toBe('more');
	expect(session.events('turn.started').map(({items}) => items)).toEqual([[], [checkpoint.id]]);
	expect(session.events('reply.delivered').map(({items}) => items)).toEqual([[question.id]]);
	expect(session.events('permission.asked')).toEqual([]);
	expect(session.events('signal.said').map(({by, signal}) => [by, signal.kind])).toEqual([
		['tool', 'progress'],
		['tool', 'finding'],
		['tool', 'clarification_needed'],
		['tool', 'checkpoint'],
		['file', 'finding'],
		['tool', 'completion_report'],
	]);
	const found = readFileSync(session.folder.findings, 'utf8').trimEnd().split('\n');
	expect(found.map(line => JSON.parse(line))).toMatchObject([
		{agent: 'AGT-001', finding: 'Ports are free', topic: 'ports', files: []},
		{agent: 'AGT-001', finding: 'So are hosts', files: []},
	]);
});

test('a call waits for a person, shows that it does, and is answered once', async () => {
	await using session = await startSession({agents: [agent('lends-its-tools.sh')]});
	const client = await toolClient(await accessOf(session));
	const progress = Promise.withResolvers<string>();
	const asked = client.callTool(
		{name: 'ask', arguments: {questions: [port]}},
		{onprogress: ({message = ''}) => progress.resolve(message)},
	);
	const question = await session.item('question');
	expect(await progress.promise).toBe(`A person is asked: ${question.id}`);
	await session.answer(question, '8080');
	expect(wordsOf(await asked)).toBe(
		'CLARIFICATION RESPONSE\nQuestion: Which port?\nANSWER port: 8080',
	);

	await says(
		session,
		`[CLARIFICATION_NEEDED]
agent_id: AGT-001
questions:
  - {id: port, question: Which port?, options: [80, 8080]}
[/CLARIFICATION_NEEDED]
`,
	);
	expect(session.state().counts).toMatchObject({q: 1});
	end(session);
	await session.accept('AGT-001');
	await session.approve();
	expect(session.events('turn.started').map(({prompt}) => prompt)).toEqual(['launch', 'reminder']);
	expect(promptOf(session, 2)).not.toContain('ANSWER port');
});

test('an answer that comes after the wait is told by the next prompt', async () => {
	await using session = await startSession(
		{agents: [agent('lends-its-tools.sh')]},
		{'.delegate-tui.yaml': 'docs: false\nquestions: {quick: 1s}\n'},
	);
	const client = await toolClient(await accessOf(session));
	const asked = await client.callTool({name: 'ask', arguments: {question: 'Which port?'}});
	expect(wordsOf(asked)).toBe(
		'Parked. A person answers q-1. End your turn now; you will be prompted with the decision.',
	);
	end(session);
	await session.agent('AGT-001', 'CHECKPOINT');
	await session.answer(await session.item('question'), '8080');
	await session.accept('AGT-001');
	await session.approve();
	expect(promptOf(session, 2)).toContain('ANSWER q-1: 8080');
	expect(session.events('reply.delivered')).toEqual([]);
});

test('an answer to a call that was given up is told by the next prompt', async () => {
	await using session = await startSession({agents: [agent('lends-its-tools.sh')]});
	const client = await toolClient(await accessOf(session));
	const impatience = new AbortController();
	const asked = client.callTool(
		{name: 'ask', arguments: {question: 'Which port?'}},
		{signal: impatience.signal, onprogress: () => impatience.abort()},
	);
	await expect(asked).rejects.toThrow('abort');
	// That is only a notice to the server; what it says next the supervisor hears after it.
	await client.callTool({name: 'progress', arguments: {phase: 'Ports', status: 'given up'}});
	await session.answer(await session.item('question'), '8080');
	await session.event('deadline.passed', ({deadline}) => deadline.of === 'listening');
	end(session);
	await session.accept('AGT-001');
	await session.approve();
	expect(promptOf(session, 2)).toContain('ANSWER q-1: 8080');
	expect(session.events('reply.delivered')).toEqual([]);
});

test('a call whose supervisor dies while it is held is told so, and its question stays', async () => {
	await using session = await startSession({agents: [agent('lends-its-tools.sh')]});
	const client = await toolClient(await accessOf(session));
	const asked = await client.callTool(
		{name: 'ask', arguments: {question: 'Which port?'}},
		{onprogress: () => session.killSupervisor()},
	);
	expect(asked.isError).toBe(true);
	expect(wordsOf(asked)).toMatch(/^Nobody hears you now: .+ end your turn; you will be prompted/);
	const late = await client.callTool({name: 'complete', arguments: {status: 'success'}});
	expect(wordsOf(late)).toContain('Nobody hears you now');
	expect((await session.item('question')).agent).toBe('AGT-001');
});

test('the tools are those of the signals, and a call that can’t be read is told why', async () => {
	await using session = await startSession({agents: [agent('lends-its-tools.sh')]});
	const access = await accessOf(session);
	const client = await toolClient(access);
	const {tools} = await client.listTools();
	expect(tools.map(({name}) => name).toSorted()).toEqual([
		'ask',
		'checkpoint',
		'complete',
		'delegate',
		'finding',
		'progress',
		'scope',
		'stop_work',
	]);
	expect(tools.find(({name}) => name === 'scope')).toMatchObject({
		description: 'Ask to write outside your scope; a person decides.',
		inputSchema: {required: ['paths'], properties: {paths: {type: 'array'}}},
	});

	const failed = await client.callTool({name: 'scope', arguments: {reason: 'room'}});
	expect(failed.isError).toBe(true);
	expect(wordsOf(failed)).toBe(
		'It was not understood. The field paths is missing. Call the tool again.',
	);
	const said = await session.event('signal.said', ({by}) => by === 'tool');
	expect(said.signal).toMatchObject({
		kind: 'malformed',
		signal: 'scope_request',
		text: '{"reason":"room"}',
	});
	const scope = await client.callTool({name: 'scope', arguments: {paths: ['docs/**']}});
	expect(wordsOf(scope)).toContain('s-1');
	expect((await session.item('scope')).agent).toBe('AGT-001');

	const stranger = await toolClient({...access, token: 'guessed'});
	const refused = await stranger.callTool({name: 'complete', arguments: {status: 'success'}});
	expect(refused.isError).toBe(true);
	expect(wordsOf(refused)).toContain('This token does not belong to this agent.');
	expect(session.state().agents[0]?.outcome).toBeUndefined();
});

const accessOf = async (session: Session): Promise<ToolAccess> => {
	await session.event('signal.said', ({signal}) => signal.kind === 'progress');
	const [socket = '', token = ''] = readFileSync(join(source(session), 'access'), 'utf8').split(
		'\n',
	);
	return {socket, token};
};

/** Lets the agent say something, and waits until it was heard. */
const says = async (session: Session, words: string): Promise<void> => {
	writeFileSync(join(source(session), 'say.new'), words);
	renameSync(join(source(session), 'say.new'), join(source(session), 'say'));
	await session.event(
		'signal.said',
		({signal}) => signal.kind === 'progress' && signal.phase === 'words',
	);
};

/** Lets the agent end its turn. */
const end = (session: Session): void => writeFileSync(join(source(session), 'end'), '');

const source = ({folder}: Session): string => join(folder.agent('AGT-001').tree, 'src');

const promptOf = ({folder}: Session, turn: number): string =>
	readFileSync(folder.agent('AGT-001').prompt(turn), 'utf8');
