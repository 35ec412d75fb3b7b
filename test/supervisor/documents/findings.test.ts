import {mkdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {BodyOf} from '../../../src/events/event.ts';
import {agentOf} from '../../../src/state/select.ts';
import {emptyState} from '../../../src/state/state.ts';
import {keepSharedFiles} from '../../../src/supervisor/documents/shared-files.ts';
import {findingsIn} from '../../../src/supervisor/worktree/capture.ts';
import {commitAll, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

const path = '.delegate/findings.jsonl';

/** Returns what is found in each of several states of an agent's file, one after the other. */
const foundIn = async (...contents: readonly string[]) => {
	const {world, state} = await makeSupervised({'readme.md': 'hello\n'});
	const {root} = world.repository;
	const trees = contents.map(content => {
		write(root, {[path]: content});
		commitAll(root);
		return git(root, 'rev-parse', 'HEAD^{tree}');
	});
	const found: (readonly BodyOf<'signal.said'>[])[] = [];
	for (const [index, tree] of trees.entries()) {
		const agent = agentOf(state, 'AGT-001');
		if (!agent) {
			throw new Error('There is no agent.');
		}

		const last = trees[index - 1];
		const snapshots = last === undefined ? [] : [snapshotOf(last)];
		found.push(await findingsIn(world, {...agent, snapshots}, {tree, number: 9}));
	}

	return found.map(said => said.map(({signal}) => signal));
};

const snapshotOf = (tree: string) => ({
	startingPoint: {base: tree, baseline: tree, onto: [], conflicts: []},
	number: 1,
	reason: 'test',
	at: '2026-01-01T00:00:00.000Z',
	commit: tree,
	tree,
	work: tree,
	files: 0,
	outside: [],
	claims: [],
});

const line = (finding: string): string => `${JSON.stringify({finding})}\n`;

test('each line is found once, when it is complete', async () => {
	const found = await foundIn(
		line('one'),
		[line('one'), line('two'), '{"finding": "thr'].join(''),
		line('one') + line('two') + line('three'),
		line('one') + line('two') + line('three'),
	);
	expect(found).toEqual([
		[{kind: 'finding', line: 1, finding: 'one', files: []}],
		[{kind: 'finding', line: 2, finding: 'two', files: []}],
		[{kind: 'finding', line: 3, finding: 'three', files: []}],
		[],
	]);
});

test('a line that can’t be read is told with its place, and nothing behind it is lost', async () => {
	const [found] = await foundIn(`oops\n[1]\n{"topic": "time"}\n\n${line('good')}`);
	expect(found).toMatchObject([
		{
			kind: 'malformed',
			line: 1,
			reason: `Line 1 of ${path}: It is not a JSON object.`,
			text: 'oops',
		},
		{kind: 'malformed', line: 2, reason: `Line 2 of ${path}: It is not a JSON object.`},
		{kind: 'malformed', line: 3, reason: `Line 3 of ${path}: The field finding is missing.`},
		{kind: 'finding', line: 5, finding: 'good'},
	]);
});

test('a file that is too long is told once and not read', async () => {
	const long = line('x'.repeat(1000)).repeat(1100);
	const found = await foundIn(long, long);
	expect(found).toMatchObject([
		[{kind: 'malformed', reason: `${path} holds more than 1 MiB.`}],
		[],
	]);
});

test('a link in its place is neither followed nor read', async () => {
	const {world, state} = await makeSupervised({'secret.jsonl': line('a secret')});
	const {root} = world.repository;
	mkdirSync(join(root, '.delegate'));
	const agent = agentOf(state, 'AGT-001');
	for (const target of ['../secret.jsonl', line('the link itself')]) {
		rmSync(join(root, path), {force: true});
		symlinkSync(target, join(root, path));
		commitAll(root);
		const tree = git(root, 'rev-parse', 'HEAD^{tree}');
		expect(agent && (await findingsIn(world, agent, {tree, number: 1}))).toEqual([]);
	}
});

test('the shared file holds each finding of an agent once', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'SHARED_FINDINGS.jsonl');
	const files = keepSharedFiles({findings: file, skipped: join(folder, 'none')}, error => {
		throw error;
	});
	let seq = 0;
	const said = (agent: string, finding: string, by: 'tool' | 'file') => ({
		kind: 'signal.said' as const,
		seq: ++seq,
		at: `2026-01-01T00:00:0${seq}.000Z`,
		agent,
		turn: 1,
		offset: 0,
		by,
		signal: {kind: 'finding' as const, line: 0, finding, files: []},
	});
	files.add([said('AGT-001', 'one', 'tool'), said('AGT-001', 'one', 'file')], emptyState);
	files.add([said('AGT-002', 'one', 'tool')], emptyState);
	await files.flush();
	const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
	expect(lines.map(text => JSON.parse(text))).toEqual([
		{at: '2026-01-01T00:00:01.000Z', agent: 'AGT-001', finding: 'one', files: []},
		{at: '2026-01-01T00:00:03.000Z', agent: 'AGT-002', finding: 'one', files: []},
	]);
});
