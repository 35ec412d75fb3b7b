import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import type {World} from '../../../src/supervisor/world.ts';
import {hear} from '../../helpers/given.ts';
import {git, write} from '../../helpers/repository.ts';
import {type AtWork, makeAtWork} from '../at-work.ts';

const files = {'src/a.txt': 'a\n', 'other.txt': 'other\n', 'gone.txt': 'gone\n'};

/** Takes a snapshot, and believes what came of it. */
const captured = async ({world, agent, believe}: AtWork) => {
	const bodies = await capture(world, agent(), 'a test');
	believe(...bodies);
	const taken = bodies.find(body => body.kind === 'snapshot.taken');
	return {bodies, taken, left: bodies.filter(body => body.kind === 'scope.left')};
};

/** The same world, in which something happens between the snapshot and the moment at which files are reverted. */
const interrupted = (world: World, happens: () => void): World => ({
	...world,
	folder: {
		...world.folder,
		agent: id => {
			const folder = world.folder.agent(id);
			const aside = (number: number): string => {
				happens();
				return folder.aside(number);
			};
			return {...folder, aside};
		},
	},
});

test('there is nothing to pin before there is a worktree', async () => {
	const {world, agent} = await makeAtWork(files);
	const early = {...agent(), workspace: {phase: 'wanted' as const}};
	expect(await capture(world, early, 'a test')).toEqual([]);
	expect(git(world.store.gitDir, 'for-each-ref', '--format=%(refname)')).not.toMatch(/AGT-001\/\d/);
});

test('each snapshot is pinned on the one before it, the first one on the base', async () => {
	const atWork = await makeAtWork(files);
	const {world, state, tree} = atWork;
	write(tree, {'src/a.txt': 'one\n'});
	const {taken: first} = await captured(atWork);
	write(tree, {'src/a.txt': 'two\n'});
	const {taken: second} = await captured(atWork);
	const store = (...args: readonly string[]) => git(world.store.gitDir, ...args);
	expect([first?.number, second?.number]).toEqual([1, 2]);
	expect(existsSync(dirname(world.folder.agent('AGT-001').aside(1)))).toBe(false);
	expect(store('rev-parse', `refs/delegate/${world.session}/AGT-001/2`)).toBe(second?.commit);
	expect(store('rev-list', second?.commit ?? '')).toBe(
		[second?.commit, first?.commit, state().session?.base].join('\n'),
	);
	expect(store('show', `${first?.work}:src/a.txt`)).toBe('one');
	expect(store('rev-parse', `${second?.work}^`)).toBe(state().session?.base);
});

test('what no snapshot can hold is told with its reason, and nothing is where all is held', async () => {
	const atWork = await makeAtWork(files);
	write(atWork.tree, {'src/a.txt': 'one\n'});
	expect((await captured(atWork)).taken).not.toHaveProperty('missed');
	rmSync(join(atWork.tree, 'src/a.txt'));
	execFileSync('mkfifo', [join(atWork.tree, 'src/a.txt')]);
	expect((await captured(atWork)).taken?.missed).toEqual([{path: 'src/a.txt', why: 'special'}]);
	expect(atWork.agent().snapshots.at(-1)?.missed).toHaveLength(1);
});

test('what left the scope is in the snapshot, in a patch, and no longer in the worktree or the work', async () => {
	const atWork = await makeAtWork(files);
	const {world, tree} = atWork;
	write(tree, {'src/b.txt': 'b\n', 'other.txt': 'edited\n', 'new.txt': 'new\n'});
	rmSync(join(tree, 'gone.txt'));
	const {taken, left} = await captured(atWork);
	expect(left).toMatchObject(
		[
			['gone.txt', 'deleted'],
			['new.txt', 'added'],
			['other.txt', 'modified'],
		].map(([path, change]) => ({
			...{agent: 'AGT-001', path, change, why: 'not allowed', patch: 'AGT-001/aside/1.patch'},
		})),
	);
	expect(taken).toMatchObject({files: 1, outside: ['gone.txt', 'new.txt', 'other.txt']});
	expect(git(tree, 'status', '--porcelain', '--untracked-files=all')).toBe('?? src/b.txt');
	expect(git(world.store.gitDir, 'show', `${taken?.commit}:new.txt`)).toBe('new');
	expect(git(world.store.gitDir, 'ls-tree', '-r', '--name-only', taken?.work ?? '')).toBe(
		'gone.txt\nother.txt\nsrc/a.txt\nsrc/b.txt',
	);
	expect(readFileSync(world.folder.agent('AGT-001').aside(1), 'utf8')).toContain('+edited');
});

test('what an agent says it delivered is looked up where it says a path', async () => {
	const atWork = await makeAtWork(files);
	expect((await captured(atWork)).taken?.claims).toEqual([]);
	atWork.begins();
	const deliverables = ['src/a.txt', 'src/missing.txt', 'A faster parser', '/etc/passwd'];
	const report = `[COMPLETION_REPORT]\nstatus: success\ndeliverables: ${JSON.stringify(deliverables)}\n[/COMPLETION_REPORT]\n`;
	for (const signal of hear(report)) {
		atWork.believe({kind: 'signal.said', agent: 'AGT-001', turn: 1, signal, offset: 0});
	}

	expect((await captured(atWork)).taken?.claims).toEqual([
		{claim: 'src/a.txt', holds: true},
		{claim: 'src/missing.txt', holds: false, found: 'missing'},
	]);
});

test('what was reverted does not hold, however it was claimed, and what a checkpoint says is looked up like a report', async () => {
	const atWork = await makeAtWork(files);
	atWork.begins();
	const said = (text: string): void => {
		for (const signal of hear(text)) {
			atWork.believe({kind: 'signal.said', agent: 'AGT-001', turn: 1, signal, offset: 0});
		}
	};
	said(checkpointOf(['src/a.txt', 'src/b.txt', 'other.txt']));
	write(atWork.tree, {'src/b.txt': 'new\n', 'other.txt': 'edited\n'});
	const expected = [
		{claim: 'src/a.txt', holds: false, found: 'unchanged'},
		{claim: 'src/b.txt', holds: true},
		{claim: 'other.txt', holds: false, found: 'reverted'},
	];
	expect((await captured(atWork)).taken?.claims).toEqual(expected);
	expect((await captured(atWork)).taken?.claims).toEqual(expected);
	said(
		'[COMPLETION_REPORT]\nstatus: success\ndeliverables: [./src/b.txt, other.txt]\n[/COMPLETION_REPORT]\n',
	);
	expect((await captured(atWork)).taken?.claims).toEqual([
		{claim: './src/b.txt', holds: true},
		{claim: 'other.txt', holds: false, found: 'reverted'},
	]);
});

const checkpointOf = (files: readonly string[]): string =>
	`----------
AGENT CHECKPOINT: AGT-001
----------
Status: IN_PROGRESS

## Changes Made
| File | Action | Description |
|------|--------|-------------|
${files.map(file => `| ${file} | Modified | a change |`).join('\n')}

## Request
CONTINUE
----------
`;

test('what runs by itself in the work, and links, are named; what lies outside of the scope is not', async () => {
	const atWork = await makeAtWork(files);
	expect((await captured(atWork)).taken).not.toHaveProperty('surface');
	symlinkSync('a.txt', join(atWork.tree, 'src/link'));
	write(atWork.tree, {'src/web/Package.json': '{}\n', 'package.json': '{}\n'});
	expect((await captured(atWork)).taken?.surface).toEqual([
		{path: 'src/link', as: 'link', what: 'a.txt'},
		{path: 'src/web/Package.json', as: 'runs', what: 'packages and scripts of Node.js'},
	]);
});

describe('a path that changes before it is reverted', () => {
	test('is left to the next snapshot while its agent works, and is not told as reverted', async () => {
		const atWork = await makeAtWork(files);
		const {world, agent, tree} = atWork;
		atWork.begins();
		write(tree, {'other.txt': 'edited\n'});
		const racing = interrupted(world, () => write(tree, {'other.txt': 'edited again\n'}));
		const bodies = await capture(racing, agent(), 'a test');
		expect(bodies.map(({kind}) => kind)).toEqual(['snapshot.taken']);
		expect(readFileSync(join(tree, 'other.txt'), 'utf8')).toBe('edited again\n');
		const {left, taken} = await captured(atWork);
		expect(left).toMatchObject([{path: 'other.txt'}]);
		expect(git(world.store.gitDir, 'show', `${taken?.commit}:other.txt`)).toBe('edited again');
	});

	test('is stuck as before while its agent works, as far as it is still outside of the scope', async () => {
		const atWork = await makeAtWork(files);
		const {world, agent, tree, believe, begins} = atWork;
		const {taken} = await captured(atWork);
		if (taken === undefined) {
			return expect.unreachable('a snapshot was expected');
		}

		believe({...taken, number: 2, stuck: ['gone.txt', 'other.txt']});
		begins();
		write(tree, {'new.txt': 'new\n', 'other.txt': 'edited\n'});
		const racing = interrupted(world, () => write(tree, {'other.txt': 'edited again\n'}));
		const bodies = await capture(racing, agent(), 'a test');
		expect(bodies).toMatchObject([{kind: 'snapshot.taken', stuck: ['other.txt']}]);
	});

	test('is a failure when nobody works there, and nothing of it is lost', async () => {
		const {world, agent, tree} = await makeAtWork(files);
		write(tree, {'other.txt': 'edited\n'});
		const racing = interrupted(world, () => write(tree, {'other.txt': 'edited again\n'}));
		await expect(capture(racing, agent(), 'a test')).rejects.toMatchObject({kind: 'refused'});
		expect(readFileSync(join(tree, 'other.txt'), 'utf8')).toBe('edited again\n');
	});
});

test('a patch that can’t be written leaves the file where it is, also while its agent works', async () => {
	const {world, agent, begins, tree} = await makeAtWork(files);
	begins();
	write(tree, {'other.txt': 'edited\n'});
	const patch = world.folder.agent('AGT-001').aside(1);
	const blocked = interrupted(world, () => write(dirname(patch), {'1.patch.making/x': ''}));
	await expect(capture(blocked, agent(), 'a test')).rejects.toMatchObject({code: 'EISDIR'});
	expect(readFileSync(join(tree, 'other.txt'), 'utf8')).toBe('edited\n');
});

test('a file that went out of the repository’s objects is no race, also while its agent works', async () => {
	const {world, agent, begins, tree} = await makeAtWork(files);
	begins();
	write(tree, {'other.txt': 'edited\n'});
	const {root} = world.repository;
	const oid = git(root, 'rev-parse', 'HEAD:other.txt');
	const object = join(root, '.git/objects', oid.slice(0, 2), oid.slice(2));
	const broken = interrupted(world, () => rmSync(object, {force: true}));
	await expect(capture(broken, agent(), 'a test')).rejects.toMatchObject({kind: 'internal'});
	expect(readFileSync(join(tree, 'other.txt'), 'utf8')).toBe('edited\n');
});
