import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {violationsOf} from '../../../src/state/agent/violations.ts';
import {restore} from '../../../src/supervisor/perform/restore.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {treeNow} from '../../../src/supervisor/worktree/change-worktree.ts';
import {heldTree} from '../../../src/supervisor/worktree/hidden-in.ts';
import {becomeNobody, isRoot} from '../../helpers/become-nobody.ts';
import {git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';
import {makeParts, planOfScript, runHere} from '../running.ts';
import {mergeHere} from '../undo/merged-session.ts';

const asRoot = becomeNobody();

const files = {'src/a.txt': 'a\n', 'docs/c.txt': 'c\n'};

const closing = 'mkdir -p closed/inner && touch closed/inner/x && chmod -R a-w closed';

test('a check that closes a folder passes, and its worktree goes', async () => {
	const {parts} = await makeParts(files);
	const {id} = await mergeHere(parts, 'echo b > src/a.txt', {verify: [closing], check: [closing]});
	const {checks, scratch} = parts.folder.session(id);
	expect(readdirSync(checks).filter(name => !name.endsWith('.log'))).toEqual([]);
	expect(existsSync(scratch)).toBe(false);
});

/** A session whose supervisor ended in the middle of a check, and the folder of its checks. */
const cutOff = async () => {
	const {parts} = await makeParts(files);
	const {running} = await runHere(parts, planOfScript('exec sleep 1000'));
	await running.abandon();
	const {scratch} = parts.folder.session(running.id);
	mkdirSync(scratch, {recursive: true});
	return {scratch, goOn: () => runHere(parts, running.id)};
};

test('a session goes on although a check that was cut off had closed a folder', async () => {
	const {scratch, goOn} = await cutOff();
	execFileSync('sh', ['-c', closing], {cwd: scratch});
	await goOn();
	expect(existsSync(scratch)).toBe(false);
});

/** What a container leaves that runs as root. */
const theirs = (folder: string) => `mkdir -p '${folder}/theirs' && touch '${folder}/theirs/x'`;

test.skipIf(!isRoot)('a session goes on although a check had left files of root’s', async () => {
	const {scratch, goOn} = await cutOff();
	await asRoot(theirs(scratch));
	await goOn();
	expect(existsSync(scratch)).toBe(false);
	await asRoot(`rm -r '${dirname(scratch)}'/left-*/theirs`);
});

test.skipIf(!isRoot)('a check that leaves files of root’s passes', async () => {
	const {parts} = await makeParts(files);
	const told = temporaryFolder();
	const wait = `pwd > ${told}/half && mv ${told}/half ${told}/where && until [ -e theirs ]; do sleep 0.05; done`;
	const merging = mergeHere(parts, 'echo b > src/a.txt', {verify: [wait]});
	const where = join(told, 'where');
	await vi.waitUntil(() => existsSync(where), {timeout: 60_000});
	await asRoot(theirs(readFileSync(where, 'utf8').trim()));
	const {checks} = parts.folder.session((await merging).id);
	const [left = '', ...others] = readdirSync(checks).filter(name => !name.endsWith('.log'));
	expect([left, others]).toEqual([expect.stringMatching(/^left-/), []]);
	await asRoot(`rm -r '${join(checks, left)}'`);
});

test('a worktree is set back although its agent closed a folder', async () => {
	const {world, state, agent, believe, tree, told} = await makeAtWork(files);
	write(tree, {'src/a.txt': 'one\n'});
	believe(...(await capture(world, agent(), 'a test')));
	write(tree, {'src/ro/f': 'f\n'});
	chmodSync(join(tree, 'src/ro'), 0o555);
	believe(...(await restore(world, state(), agent(), 1)));
	expect(told.at(-1)).toMatchObject({kind: 'snapshot.restored', number: 1});
	expect(existsSync(join(tree, 'src/ro'))).toBe(false);
	expect(agent().snapshots.at(-1)).toMatchObject({tree: agent().snapshots[0]?.tree});
});

test('what is outside the scope in a closed folder is reverted once, and the work counts', async () => {
	const {world, agent, believe, tree} = await makeAtWork(files);
	write(tree, {'src/a.txt': 'one\n', 'docs/c.txt': 'out\n'});
	chmodSync(join(tree, 'docs'), 0o555);
	believe(...(await capture(world, agent(), 'a test')));
	expect(readFileSync(join(tree, 'docs/c.txt'), 'utf8')).toBe('c\n');
	expect(agent().snapshots).toMatchObject([{files: 1, outside: ['docs/c.txt']}]);
	believe(...(await capture(world, agent(), 'again')));
	expect(agent().snapshots.at(-1)).toMatchObject({files: 1, outside: []});
	chmodSync(join(tree, 'docs'), 0o755);
});

test('a .git that can’t be brought back is told once, and is when that can be', async () => {
	const {world, agent, believe, tree, told} = await makeAtWork(files);
	rmSync(join(tree, '.git'));
	chmodSync(tree, 0o555);
	believe(...(await capture(world, agent(), 'a test')));
	believe(...(await capture(world, agent(), 'again')));
	const left = () => told.filter(({kind}) => kind === 'scope.left');
	expect(left()).toMatchObject([{path: '.git', stuck: 'no user may write there'}]);
	expect(violationsOf(agent())).toMatchObject({reverted: [], stuck: ['.git']});
	chmodSync(tree, 0o755);
	believe(...(await capture(world, agent(), 'once more')));
	expect(left()[1]).toMatchObject({path: '.git', change: 'deleted'});
	expect(violationsOf(agent())).toMatchObject({reverted: ['.git'], stuck: []});
	expect(git(tree, 'branch', '--show-current')).not.toBe('');
});

test.skipIf(!isRoot)(
	'what can’t be reverted is told once with its cause, and the work counts all the same',
	async () => {
		const {world, agent, believe, tree, told} = await makeAtWork(files);
		write(tree, {'src/a.txt': 'one\n', 'docs/c.txt': 'out\n', 'other.txt': 'out\n'});
		await asRoot(`chown 0 '${tree}/docs'`);
		believe(...(await capture(world, agent(), 'a test')));
		const cause = 'only its owner may write in ./docs';
		const left = () => told.filter(({kind}) => kind === 'scope.left');
		expect(left()).toMatchObject([{path: 'docs/c.txt', stuck: cause}, {path: 'other.txt'}]);
		expect(left()[1]).not.toHaveProperty('stuck');
		expect(agent()).toMatchObject({
			violationCounts: {reverted: 1},
			snapshots: [{stuck: ['docs/c.txt']}],
		});
		expect(await treeNow(world, agent())).toBe(await heldTree(world, agent()));
		believe(...(await capture(world, agent(), 'again')));
		expect(left()).toHaveLength(2);
		expect(agent().snapshots.at(-1)).toMatchObject({files: 1, stuck: ['docs/c.txt']});
		const {work = ''} = agent().snapshots.at(-1) ?? {};
		expect(git(world.store.gitDir, 'show', `${work}:src/a.txt`)).toBe('one');
		expect(git(world.store.gitDir, 'show', `${work}:docs/c.txt`)).toBe('c');
		await asRoot(`chown 65534 '${tree}/docs'`);
	},
);
