import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {bringObjects} from '../../../src/git/store/store.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeMergeable, makeMerged} from './undo-world.ts';

const instead = installInsteadOfGit();

/** A merge that is about to be published, the first time: its objects are there already. */
const mergeable = async () => {
	const world = await makeMergeable();
	await bringObjects(world.repository, world.store, world.to);
	return {...world, before: pictureOf(world.root)};
};

test('a git that hangs and can’t be asked to end is killed and told', async () => {
	const {root, merge, before} = await mergeable();
	instead('checkout', "trap '' TERM; while :; do sleep 1000; done");
	expect(
		await merge({patience: {tellAfterMs: 20, endAfterMs: 3000, lookEveryMs: 20}}),
	).toMatchObject({
		moved: false,
		cause: 'other',
		message: expect.stringMatching(/^git checkout waited for "sleep 1000".* as it was before\.$/),
	});
	expect(pictureOf(root)).toBe(before);
});

test('a git that only looks and fails is a fault, and told as that', async () => {
	const {root, merge, before} = await mergeable();
	instead('status', 'echo "fatal: not today" >&2; exit 128');
	await expect(merge()).rejects.toThrow('git status failed: not today');
	expect(pictureOf(root)).toBe(before);
});

const killed = /^Git was killed while it moved main\. Everything is as it was before\.$/;
const asBefore = /^Git refused to move main: it left \S+ as before$/;

/** What becomes of the next git with a certain word: what it does then, and what is told of that. */
const deaths: readonly (readonly [string, string, RegExp])[] = [
	['checkout', 'kill -9 $$', killed],
	// Only the branch is left to move.
	['update-ref', 'kill -9 $$', killed],
	['checkout', '$real cat-file blob $RESULT:a.txt >a.txt; rm gone.txt; exit 128', /^Git refused/],
	// It calls done what it didn't overwrite, remove or make.
	[
		'checkout',
		'$real "$@"; $real show HEAD:a.txt >a.txt; touch -d "1 hour ago" a.txt; exit 0',
		asBefore,
	],
	['checkout', '$real "$@"; $real show HEAD:gone.txt >gone.txt; exit 0', asBefore],
	['checkout', '$real "$@"; rm new.txt; exit 0', asBefore],
];

test('a git that is killed, fails or calls done what it didn’t do has its move taken back', async () => {
	const {root, to, merge, before} = await mergeable();
	for (const [word, lines, told] of deaths) {
		instead(word, lines.replace('$RESULT', to));
		expect(await merge(), lines).toMatchObject({
			moved: false,
			cause: 'other',
			message: expect.stringMatching(told),
		});
		expect(pictureOf(root), lines).toBe(before);
	}

	expect(await merge()).toEqual({moved: true});
});

test('a git that complains when all is done has published', async () => {
	const {root, to, merge} = await mergeable();
	instead('update-ref', '$real "$@"; exit 1');
	expect(await merge()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
});

test('a git that is killed while somebody edits what it writes is told, and the edit stays', async () => {
	const {root, merge, before} = await mergeable();
	instead('checkout', 'echo mine >a.txt; kill -9 $$');
	expect(await merge()).toMatchObject({
		moved: false,
		cause: 'interrupted',
		message: expect.stringContaining('was cut off in the middle'),
		paths: ['a.txt'],
	});
	expect(git(root, 'status', '--porcelain')).toBe(' M a.txt');
	git(root, 'checkout', '--', 'a.txt');
	expect(pictureOf(root)).toBe(before);
});

test('an undo that git refuses leaves all as it was', async () => {
	const {root, undo} = await makeMerged();
	const merged = pictureOf(root);
	for (const word of ['checkout', 'update-ref']) {
		instead(word, 'echo "fatal: not today" >&2; exit 128');
		expect(await undo()).toMatchObject({
			moved: false,
			message: 'Git refused to move main: not today',
		});
		expect(pictureOf(root)).toBe(merged);
	}
});

test('an ignored file that a person makes while an undo begins is kept and named', async () => {
	const {root, undo} = await makeMerged();
	write(root, {'.git/info/exclude': 'gone.txt\n'});
	const merged = pictureOf(root);
	instead('checkout', 'echo mine >gone.txt');
	expect(await undo()).toMatchObject({
		moved: false,
		cause: 'ignored-files',
		paths: ['gone.txt'],
	});
	expect(readFileSync(join(root, 'gone.txt'), 'utf8')).toBe('mine\n');
	rmSync(join(root, 'gone.txt'));
	expect(pictureOf(root)).toBe(merged);
	expect(await undo()).toEqual({moved: true});
});

test('a branch that another command has locked is told, and its checkout goes back', async () => {
	const {root, merge, before} = await mergeable();
	const lock = '.git/refs/heads/main.lock';
	instead('update-ref', `echo >${lock}`);
	expect(await merge()).toMatchObject({
		moved: false,
		cause: 'locked',
		message: expect.stringContaining('main.lock exists'),
	});
	rmSync(join(root, lock));
	expect(pictureOf(root)).toBe(before);
	expect(await merge()).toEqual({moved: true});
});

test('a commit that a person makes before the branch is moved stays, and its checkout follows it', async () => {
	const {root, merge} = await mergeable();
	const theirs = '$($real commit-tree HEAD^{tree} -p HEAD -m theirs)';
	instead('update-ref', `$real update-ref HEAD ${theirs}`);
	expect(await merge()).toMatchObject({moved: false, cause: 'target-moved'});
	expect(git(root, 'log', '-1', '--format=%s')).toBe('theirs');
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('an edit that comes when all has been looked at stays, and is told', async () => {
	const {root, merge, before} = await mergeable();
	instead('checkout', 'echo mine >a.txt');
	expect(await merge()).toMatchObject({
		moved: false,
		cause: 'dirty-checkout',
		paths: ['a.txt'],
	});
	expect(git(root, 'status', '--porcelain')).toBe(' M a.txt');
	git(root, 'checkout', '--', 'a.txt');
	expect(pictureOf(root)).toBe(before);
});

test('a checkout that is switched to another branch while all is looked at is left alone', async () => {
	const {root, from, merge} = await mergeable();
	git(root, 'branch', 'other');
	instead('config --null', '$real switch --quiet other');
	expect(await merge()).toMatchObject({
		moved: false,
		message: `${root} was switched away from main just now.`,
	});
	expect(git(root, 'for-each-ref', '--format=%(objectname)', 'refs/heads')).toBe(
		`${from}\n${from}`,
	);
});

test('what a person does with the branch right after the move is theirs', async () => {
	const {root, to, merge} = await mergeable();
	const theirs = '$($real commit-tree HEAD^{tree} -p HEAD -m theirs)';
	instead('update-ref', `$real "$@"; $real update-ref HEAD ${theirs}; exit 0`);
	expect(await merge()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'main^')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

/** When a command of the person's comes: before the files are moved, after it, and after the branch. */
const moments = [
	['checkout', (command: string) => command],
	['diff-files', (command: string) => command],
	['update-ref', (command: string) => command],
	['update-ref', (command: string) => `$real "$@"; ${command}; exit 0`],
] as const;

const commands = ['stash push', 'reset --hard', 'commit -a -m theirs', 'switch other', 'add b.txt'];

test('no command that needs the index comes between the steps of a move', async () => {
	const {root, from, to, merge, before, undo} = await mergeable();
	git(root, 'branch', 'other');
	write(root, {'b.txt': 'mine\n'});
	const tries = commands.map(
		command => `env -u GIT_INDEX_FILE $real ${command} || echo ${command} >>.git/refused`,
	);
	for (const [word, lines] of moments) {
		instead(word, lines(tries.join('\n')));
		expect(await merge()).toEqual({moved: true});
		expect(readFileSync(join(root, '.git/refused'), 'utf8').trim().split('\n')).toEqual(commands);
		expect(git(root, 'rev-parse', 'main')).toBe(to);
		expect(git(root, 'status', '--porcelain', '--branch')).toBe('## main\n M b.txt');
		rmSync(join(root, '.git/refused'));
		expect(await undo()).toEqual({moved: true});
	}

	git(root, 'branch', '-D', 'other');
	git(root, 'checkout', '--', 'b.txt');
	expect(pictureOf(root)).toBe(before);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
});

test('a new branch, which git switches to without the index, has the files that it begins with', async () => {
	const {root, from, to, merge, undo} = await mergeable();
	for (const [word, lines] of moments) {
		instead(word, lines('$real switch --quiet --create mine'));
		const {moved} = await merge();
		expect(git(root, 'rev-parse', 'main')).toBe(moved ? to : from);
		expect([from, to]).toContain(git(root, 'rev-parse', 'mine'));
		expect(git(root, 'status', '--porcelain', '--branch')).toBe('## mine');
		git(root, 'switch', '--quiet', 'main');
		git(root, 'branch', '--quiet', '-D', 'mine');
		if (moved) {
			expect(await undo()).toEqual({moved: true});
		}
	}
});

test('a git of ours that does not end is told, and nothing is touched', async () => {
	const {root, to, merge, begin, before} = await mergeable();
	await begin();
	const child = spawn('git', ['rev-list', to, '--stdin'], {
		cwd: root,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	onTestFinished(() => void child.kill());
	await once(child, 'spawn');
	write(root, {'a.txt': ''});
	const half = pictureOf(root);
	expect(await merge()).toMatchObject({moved: false, cause: 'locked'});
	expect(pictureOf(root)).toBe(half);
	expect(half).not.toBe(before);
	child.stdin.end();
	await once(child, 'close');
	expect(await merge()).toEqual({moved: true});
});

test('an edit that comes right after a move which left several files stays, and is told', async () => {
	const {root, from, merge} = await mergeable();
	const left = '$real show HEAD:a.txt >a.txt; $real show HEAD:gone.txt >gone.txt';
	instead('checkout', `$real "$@"; ${left}; echo mine >new.txt; exit 0`);
	expect(await merge()).toMatchObject({moved: false, cause: 'interrupted', paths: ['new.txt']});
	expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('mine\n');
	expect(git(root, 'rev-parse', 'main')).toBe(from);

	rmSync(join(root, 'new.txt'));
	expect(await merge()).toEqual({moved: true});
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('an edit that comes right after a move stays, and the move is done', async () => {
	const {root, to, merge} = await mergeable();
	instead('checkout', '$real "$@"; echo mine >a.txt; echo mine >gone.txt; exit 0');
	expect(await merge()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('mine\n');
});
