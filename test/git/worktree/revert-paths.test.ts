import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	existsSync,
	lstatSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Change} from '../../../src/git/tree/changes.ts';
import {revertPaths} from '../../../src/git/worktree/revert-paths.ts';
import {filesBelow, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

type World = Awaited<ReturnType<typeof makeWorld>>;

const patchOf = ({folder}: World): string => join(folder, 'reverted.patch');

const changesOf = async (world: World): Promise<Change[]> => (await world.changed()).found;

const revert = (world: World, found: readonly Change[]): Promise<void> =>
	revertPaths(world.store, {tree: world.tree, changes: found, patchFile: patchOf(world)});

const revertAll = async (world: World): Promise<void> => revert(world, await changesOf(world));

/** What a file of the worktree holds. */
const textOf = ({tree}: World, path: string): string => readFileSync(join(tree, path), 'utf8');

const base = {
	'a.txt': 'a\n',
	'lib/b.txt': 'b\n',
	'lib/deep/c.txt': 'c\n',
	'run.sh': 'true\n',
	bin: Uint8Array.of(0, 1),
};

test('edits, additions, removals and modes go back, and the patch brings them again; without any there is none', async () => {
	const world = await makeWorld(base);
	const before = filesBelow(world.tree);
	await revertAll(world);
	expect(existsSync(patchOf(world))).toBe(false);
	write(world.tree, {
		'a.txt': 'edited\n',
		'new/folder/d.txt': 'd\n',
		bin: Uint8Array.of(0, 2),
		'line\nbreak "q"': 'x',
	});
	rmSync(join(world.tree, 'lib'), {recursive: true});
	chmodSync(join(world.tree, 'run.sh'), 0o755);
	symlinkSync('/tmp', join(world.tree, 'link'));
	writeFileSync(Buffer.concat([Buffer.from(`${world.tree}/`), Buffer.from([0x6f, 0xff])]), 'odd');
	const after = filesBelow(world.tree);
	await revertAll(world);
	expect(filesBelow(world.tree)).toEqual(before);
	expect(existsSync(join(world.tree, 'new'))).toBe(false);
	expect(await changesOf(world)).toEqual([]);
	git(world.tree, 'apply', patchOf(world));
	expect(filesBelow(world.tree)).toEqual(after);
});

test('a patch leaves out what is too long for one, and says where that is kept', async () => {
	const world = await makeWorld(base);
	write(world.tree, {'a.txt': 'edited\n', 'long\ndiff': ''});
	const size = 70 * 2 ** 20;
	truncateSync(join(world.tree, 'long\ndiff'), size);
	await revertAll(world);
	expect(await changesOf(world)).toEqual([]);
	const patch = readFileSync(patchOf(world), 'utf8');
	const [, oid = ''] =
		/^"long\\ndiff" is too long for a patch: .* cat-file blob (\w+)\n/.exec(patch) ?? [];
	expect(git(world.store.gitDir, '--git-dir=.', 'cat-file', '-s', oid)).toBe(String(size));
	git(world.tree, 'apply', patchOf(world));
	expect(textOf(world, 'a.txt')).toBe('edited\n');
});

test('only the named paths go back', async () => {
	const world = await makeWorld(base);
	write(world.tree, {'a.txt': 'in scope\n', 'lib/b.txt': 'out of scope\n', 'lib/new.txt': 'out\n'});
	const found = await changesOf(world);
	await revert(
		world,
		found.filter(({path}) => path.startsWith('lib/')),
	);
	expect(textOf(world, 'a.txt')).toBe('in scope\n');
	expect(textOf(world, 'lib/b.txt')).toBe('b\n');
	expect(existsSync(join(world.tree, 'lib/new.txt'))).toBe(false);
});

test('a link in place of a folder is taken away and never followed', async () => {
	const world = await makeWorld(base);
	const outside = temporaryFolder();
	write(outside, {'b.txt': 'precious\n', 'deep/c.txt': 'precious\n'});
	rmSync(join(world.tree, 'lib'), {recursive: true});
	symlinkSync(outside, join(world.tree, 'lib'));
	expect((await world.changed()).shown).toEqual(['A lib', 'D lib/b.txt', 'D lib/deep/c.txt']);
	await revertAll(world);
	expect(lstatSync(join(world.tree, 'lib')).isDirectory()).toBe(true);
	expect(textOf(world, 'lib/b.txt')).toBe('b\n');
	expect(filesBelow(outside)).toEqual(
		expect.objectContaining({'b.txt': expect.any(String), 'deep/c.txt': expect.any(String)}),
	);
	expect(readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('precious\n');
});

test('a link that is planted after the snapshot harms nothing outside', async () => {
	const world = await makeWorld(base);
	write(world.tree, {'lib/b.txt': 'edited\n', 'lib/new.txt': 'new\n', 'bad/x.txt': 'x\n'});
	const found = await changesOf(world);
	const outside = temporaryFolder();
	write(outside, {'b.txt': 'edited\n', 'new.txt': 'new\n', 'x.txt': 'x\n', 'deep/c.txt': 'c\n'});
	const before = filesBelow(outside);
	for (const folder of ['lib', 'bad']) {
		renameSync(join(world.tree, folder), join(world.tree, `${folder}.away`));
		symlinkSync(outside, join(world.tree, folder));
	}

	await expect(revert(world, found)).rejects.toMatchObject({kind: 'refused'});
	expect(filesBelow(outside)).toEqual(before);
	expect(readlinkSync(join(world.tree, 'lib'))).toBe(outside);
});

test('work that came after the snapshot is not lost', async () => {
	const world = await makeWorld(base);
	write(world.tree, {'a.txt': 'edited\n', 'lib/b.txt': 'edited\n', 'new.txt': 'new\n'});
	const found = await changesOf(world);
	write(world.tree, {'new.txt': 'newer, and in no snapshot\n'});
	await expect(revert(world, found)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('new.txt'),
	});
	expect(textOf(world, 'new.txt')).toBe('newer, and in no snapshot\n');
	expect(textOf(world, 'a.txt')).toBe('edited\n');
	await revertAll(world);
	expect(readFileSync(patchOf(world), 'utf8')).toContain('+newer, and in no snapshot');
	expect(await changesOf(world)).toEqual([]);
});

test('a file in place of a folder and a pipe in place of a file go back', async () => {
	const world = await makeWorld(base);
	rmSync(join(world.tree, 'lib'), {recursive: true});
	write(world.tree, {lib: 'a file\n'});
	rmSync(join(world.tree, 'a.txt'));
	execFileSync('mkfifo', [join(world.tree, 'a.txt')]);
	await revertAll(world);
	expect(textOf(world, 'a.txt')).toBe('a\n');
	expect(textOf(world, 'lib/deep/c.txt')).toBe('c\n');
});

test('files of a repository inside go back, its own git folder stays', async () => {
	const world = await makeWorld(base);
	write(world.tree, {'inner/x.txt': 'x\n'});
	git(join(world.tree, 'inner'), 'init', '--quiet');
	await revertAll(world);
	expect(existsSync(join(world.tree, 'inner/x.txt'))).toBe(false);
	expect(existsSync(join(world.tree, 'inner/.git/HEAD'))).toBe(true);
	expect(await changesOf(world)).toEqual([]);
});

test('what stands in the way and is not to be reverted itself is not written over', async () => {
	const world = await makeWorld(base);
	rmSync(join(world.tree, 'lib'), {recursive: true});
	write(world.tree, {lib: 'in the way\n'});
	const found = await changesOf(world);
	const removals = found.filter(({status}) => status === 'D');
	expect(removals).not.toEqual([]);
	await expect(revert(world, removals)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('lib'),
	});
	expect(textOf(world, 'lib')).toBe('in the way\n');
});

test.each([
	['in a folder that stands in place of a file', 'lib', 'lib/b.txt', {'lib/b.txt/own/x': 'work'}],
	['in a folder that is not ignored itself', 'lib', 'lib/b.txt', {'lib/b.txt/own.log': 'work'}],
	['that stands in place of a folder', 'lib', 'lib/b.txt', {lib: 'work'}],
	['that came again after a snapshot without it', 'a.txt', 'a.txt', {'a.txt': 'work'}],
])(
	'an ignored file %s is moved beside the patch, since no snapshot holds it',
	async (_, removed, path, files) => {
		const world = await makeWorld(base);
		rmSync(join(world.tree, removed), {recursive: true});
		await world.snapshot();
		const rules = 'lib/b.txt/own.log' in files ? '*.log\n' : '/lib\n/a.txt\n';
		write(world.tree, {'.gitignore': rules, ...files});
		const missing = await changesOf(world);
		const back = missing.filter(change => change.path === path);
		expect(back).toMatchObject([{status: 'D'}]);
		await revert(world, back);
		const [content] = Object.values(base).slice(path === 'a.txt' ? 0 : 1);
		expect(textOf(world, path)).toBe(content);
		const [aside, ...more] = readdirSync(world.folder).filter(name => name.includes('.ignored-'));
		expect(more).toEqual([]);
		const [[name = '', text] = []] = Object.entries(files);
		expect(readFileSync(join(world.folder, aside ?? '', name), 'utf8')).toBe(text);
	},
);
