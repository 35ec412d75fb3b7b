import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {removeStaleLocks} from '../../../src/git/target/interrupted/stale-locks.ts';
import {type Publication, publish} from '../../../src/git/target/publish.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeMerged} from './undo-world.ts';

const instead = installInsteadOfGit();

/** A merge that was published and taken back, to be published again. */
const takenBack = async () => {
	const world = await makeMerged();
	await world.goBack();
	const {root, repository, store, from, to} = world;
	const again = (options: Partial<Publication> = {}) =>
		publish(repository, {target: 'main', store, from, to, ...options});
	return {...world, again, before: pictureOf(root)};
};

test('a git that refuses for a reason of its own is quoted, and nothing has changed', async () => {
	const {root, again, before} = await takenBack();
	instead('merge', 'echo "fatal: not today" >&2; exit 128');
	expect(await again()).toMatchObject({
		published: false,
		cause: 'other',
		message: 'Git refused to move main: not today',
	});
	expect(pictureOf(root)).toBe(before);
});

test('a git that hangs and can’t be asked to end is killed and told', async () => {
	const {root, again, before} = await takenBack();
	instead('merge', "trap '' TERM; while :; do sleep 1000; done");
	expect(
		await again({patience: {tellAfterMs: 20, endAfterMs: 2000, lookEveryMs: 20}}),
	).toMatchObject({
		published: false,
		cause: 'other',
		message: expect.stringMatching(/^git merge waited for “sleep 1000”.* as it was before\.$/),
	});
	expect(pictureOf(root)).toBe(before);
});

test('a git that only looks and fails is a fault, and told as that', async () => {
	const {root, again, before} = await takenBack();
	instead('status', 'echo "fatal: not today" >&2; exit 128');
	await expect(again()).rejects.toThrow('git status failed: not today');
	expect(pictureOf(root)).toBe(before);
});

test('a git that was killed before it did anything is told as that', async () => {
	const {root, again, before} = await takenBack();
	instead('merge', 'kill -9 $$');
	expect(await again()).toMatchObject({
		published: false,
		message: 'Git was killed while it moved main; everything is as it was before.',
	});
	expect(pictureOf(root)).toBe(before);
});

test('a git that complains when all is done has published', async () => {
	const {root, to, again} = await takenBack();
	instead('merge', '$real "$@"; exit 1');
	expect(await again()).toEqual({published: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
});

test('a git that is killed when only the branch is left to move has published', async () => {
	const {root, from, to, again} = await takenBack();
	instead('merge', `$real read-tree -m -u ${from} ${to}; kill -9 $$`);
	expect(await again()).toEqual({published: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a git that is killed while somebody edits what it writes is told, and the edit stays', async () => {
	const {root, again, before} = await takenBack();
	instead('merge', 'echo mine >a.txt; kill -9 $$');
	expect(await again()).toMatchObject({
		published: false,
		cause: 'cut-off',
		message: expect.stringContaining('was cut off in the middle'),
		paths: ['a.txt'],
	});
	expect(git(root, 'status', '--porcelain')).toBe(' M a.txt');
	git(root, 'checkout', '--', 'a.txt');
	expect(pictureOf(root)).toBe(before);
});

test.each(['checkout', 'update-ref'])(
	'an undo whose %s is refused leaves all as it was',
	async words => {
		const {root, goBack} = await makeMerged();
		const merged = pictureOf(root);
		instead(words, 'echo "fatal: not today" >&2; exit 128');
		expect(await goBack()).toMatchObject({
			published: false,
			message: 'Git refused to move main: not today',
		});
		expect(pictureOf(root)).toBe(merged);
	},
);

test('an ignored file that a person makes while an undo begins is kept and named', async () => {
	const {root, goBack} = await makeMerged();
	write(root, {'.git/info/exclude': 'gone.txt\n'});
	const merged = pictureOf(root);
	instead('checkout', 'echo mine >gone.txt');
	expect(await goBack()).toMatchObject({
		published: false,
		cause: 'ignored-files',
		paths: ['gone.txt'],
	});
	expect(readFileSync(join(root, 'gone.txt'), 'utf8')).toBe('mine\n');
	rmSync(join(root, 'gone.txt'));
	expect(pictureOf(root)).toBe(merged);
	expect(await goBack()).toEqual({published: true});
});

test('a git that fails after it has written files leaves all as it was', async () => {
	const {root, to, again, before} = await takenBack();
	instead('merge', `$real cat-file blob ${to}:a.txt >a.txt; rm gone.txt; exit 1`);
	expect(await again()).toMatchObject({published: false, cause: 'other'});
	expect(pictureOf(root)).toBe(before);
});

test('a git that fails when only the branch is left to move has published', async () => {
	const {root, from, to, again} = await takenBack();
	instead('merge', `$real read-tree -m -u ${from} ${to}; exit 128`);
	expect(await again()).toEqual({published: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a move that was cut off before the branch is finished when the branch can be moved', async () => {
	const {root, repository, store, from, to, again} = await takenBack();
	const since = new Date().toISOString();
	const lock = '.git/refs/heads/main.lock';
	instead('merge', `$real read-tree -m -u ${from} ${to}; echo >${lock}; exit 128`);
	expect(await again()).toMatchObject({
		published: false,
		cause: 'cut-off',
		message: expect.stringContaining('main.lock exists'),
	});
	rmSync(join(root, lock));
	const interrupted = [{from, to, since}];
	expect(await publish(repository, {target: 'main', store, from, to, interrupted})).toEqual({
		published: true,
	});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a commit that a person makes just before only the branch is left stays, and is told', async () => {
	const {root, from, to, again} = await takenBack();
	const theirs = 'theirs=$($real commit-tree HEAD^{tree} -p HEAD -m theirs)';
	instead(
		'merge',
		`${theirs}; $real read-tree -m -u ${from} ${to}; $real update-ref HEAD $theirs; exit 1`,
	);
	expect(await again()).toMatchObject({published: false, cause: 'target-moved'});
	expect(git(root, 'log', '-1', '--format=%s')).toBe('theirs');
});

test('a file that is saved while a move that was cut off is judged stays', async () => {
	const {root, repository, store, from, to, lines} = await takenBack();
	const interrupted = [{from, to, since: new Date().toISOString()}];
	const again = () => publish(repository, {target: 'main', store, from, to, interrupted});
	write(root, {'a.txt': lines('merged').slice(0, 5)});
	instead('cat-file', 'echo mine >a.txt');
	expect(await again()).toMatchObject({published: false, cause: 'cut-off', paths: ['a.txt']});
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('mine\n');

	write(root, {'a.txt': lines('merged').slice(0, 5)});
	instead('cat-file', `$real cat-file blob ${from}:a.txt >a.txt`);
	expect(await again()).toEqual({published: true});
});

test('an edit that comes while all is looked at stays, and git is quoted', async () => {
	const {root, again, before} = await takenBack();
	instead('read-tree', 'echo mine >a.txt');
	expect(await again()).toMatchObject({
		published: false,
		cause: 'dirty-checkout',
		message: `Your files in ${root} stand against the merge: Entry 'a.txt' not uptodate. Cannot merge.`,
	});
	expect(git(root, 'status', '--porcelain')).toBe(' M a.txt');
	git(root, 'checkout', '--', 'a.txt');
	expect(pictureOf(root)).toBe(before);
});

test('a checkout that is switched to another branch while all is looked at is left alone', async () => {
	const {root, from, again} = await takenBack();
	git(root, 'branch', 'other');
	instead('read-tree', '$real switch --quiet other');
	expect(await again()).toMatchObject({
		published: false,
		message: `${root} was switched away from main just now.`,
	});
	expect(git(root, 'for-each-ref', '--format=%(objectname)', 'refs/heads')).toBe(
		`${from}\n${from}`,
	);
});

test('a checkout that is switched to another branch in the moment of the move is told with the way back', async () => {
	const {root, from, to, again} = await takenBack();
	git(root, 'branch', 'other');
	instead('merge', '$real switch --quiet other');
	expect(await again()).toMatchObject({
		published: false,
		message: expect.stringContaining(`moved the branch that it is on now to ${to.slice(0, 10)}`),
		hint: expect.stringContaining('git reset --keep ORIG_HEAD'),
	});
	git(root, 'reset', '--quiet', '--keep', 'ORIG_HEAD');
	expect(git(root, 'for-each-ref', '--format=%(objectname)', 'refs/heads')).toBe(
		`${from}\n${from}`,
	);
});

test('what a person does with the branch right after the move is theirs', async () => {
	const {root, to, again} = await takenBack();
	instead('merge', '$real "$@"; $real commit --quiet --allow-empty -m theirs; exit 0');
	expect(await again()).toEqual({published: true});
	expect(git(root, 'rev-parse', 'main^')).toBe(to);

	const removed = await takenBack();
	instead('merge', '$real switch --quiet --detach; $real branch --quiet -D main; exit 0');
	expect(await removed.again()).toMatchObject({published: false, cause: 'other'});
});

test('a git of ours that does not end is told, and nothing is touched', async () => {
	const {root, repository, store, from, to, before} = await takenBack();
	const child = spawn('git', ['rev-list', to, '--stdin'], {
		cwd: root,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	onTestFinished(() => void child.kill());
	await once(child, 'spawn');
	write(root, {'a.txt': ''});
	const half = pictureOf(root);
	const interrupted = [{from, to, since: new Date().toISOString()}];
	const again = () => publish(repository, {target: 'main', store, from, to, interrupted});
	expect(await again()).toMatchObject({published: false, cause: 'locked'});
	expect(pictureOf(root)).toBe(half);
	expect(half).not.toBe(before);
	child.stdin.end();
	await once(child, 'close');
	expect(await again()).toEqual({published: true});
});

test('a lock that can’t be read is a failure, and none is removed', async () => {
	const {root, to} = await makeMerged();
	write(root, {'.git/index.lock': '', '.git/HEAD.lock/file': ''});
	const paths = ['index.lock', 'HEAD.lock'].map(name => join(root, '.git', name));
	const since = '2026-01-01T00:00:00Z';
	await expect(removeStaleLocks({root, to, since}, paths)).rejects.toThrow('EISDIR');
	expect(JSON.parse(pictureOf(root)).locks).toEqual(['HEAD.lock', 'index.lock'].toSorted());
});

test.each([
	['overwrite', 'git show HEAD~:a.txt >a.txt; touch -d "1 hour ago" a.txt'],
	['remove', 'git show HEAD~:gone.txt >gone.txt'],
	['make', 'rm new.txt'],
])('a git that calls done what it didn’t %s has its move taken back', async (_, undone) => {
	const {root, from, again, before} = await takenBack();
	instead('merge', `$real "$@"; ${undone.replace('git', '$real')}; exit 0`);
	expect(await again()).toMatchObject({
		published: false,
		cause: 'other',
		message: expect.stringMatching(/^Git refused to move main: it left \S+ as before$/),
	});
	expect(git(root, 'rev-parse', 'main')).toBe(from);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(pictureOf(root)).toBe(before);
	expect(await again()).toEqual({published: true});
});

test('an edit that comes right after a move which left several files stays, and is told', async () => {
	const {root, repository, store, from, to, again, before} = await takenBack();
	const since = new Date().toISOString();
	const left = '$real show HEAD~:a.txt >a.txt; $real show HEAD~:gone.txt >gone.txt';
	instead('merge', `$real "$@"; ${left}; echo mine >new.txt; exit 0`);
	expect(await again()).toMatchObject({published: false, cause: 'cut-off', paths: ['new.txt']});
	expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('mine\n');
	expect(git(root, 'rev-parse', 'main')).toBe(from);

	rmSync(join(root, 'new.txt'));
	instead('merge', `$real "$@"; ${left}; exit 0`);
	const interrupted = [{from, to, since}];
	expect(await publish(repository, {target: 'main', store, from, to, interrupted})).toMatchObject({
		published: false,
		message: 'Git refused to move main: it left a.txt and 1 more as before',
	});
	expect(pictureOf(root)).toBe(before);
});

test('an edit that comes right after a move stays, and the move is done', async () => {
	const {root, to, again} = await takenBack();
	instead('merge', '$real "$@"; echo mine >a.txt; echo mine >gone.txt; exit 0');
	expect(await again()).toEqual({published: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('an undo of which a file stayed behind is taken back as well', async () => {
	const {root, to, goBack} = await makeMerged();
	const before = pictureOf(root);
	instead('checkout', `$real "$@"; $real show ${to}:a.txt >a.txt; exit 0`);
	expect(await goBack()).toMatchObject({
		published: false,
		message: 'Git refused to move main: it left a.txt as before',
	});
	expect(pictureOf(root)).toBe(before);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(await goBack()).toEqual({published: true});
});
