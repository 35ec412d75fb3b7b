import {chmodSync, existsSync, readFileSync, renameSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {revertPaths, revertPossible} from '../../../src/git/worktree/revert-paths.ts';
import {becomeNobody, isRoot} from '../../helpers/become-nobody.ts';
import {filesBelow, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const asRoot = becomeNobody();

const files = {'a.txt': 'a\n', 'docs/b.txt': 'b\n', 'docs/deep/c.txt': 'c\n'};

/** A worktree, of which folders may be closed, and the changes in it since the base. */
const closable = async () => {
	const world = await makeWorld(files);
	const {tree} = world;
	const close = (path: string, mode: number): void => {
		chmodSync(join(tree, path), mode);
		onTestFinished(() => {
			if (existsSync(join(tree, path))) {
				chmodSync(join(tree, path), 0o755);
			}
		});
	};
	return {...world, close, before: filesBelow(tree)};
};

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('what is in a folder that may not be written goes back, and the folder keeps its mode', async () => {
	const {tree, store, close, toRevert, before} = await closable();
	write(tree, {'docs/b.txt': 'edited\n', 'docs/deep/c.txt': 'edited\n', 'docs/new': 'new\n'});
	write(tree, {'own/ro/x': 'x\n'});
	for (const folder of ['docs/deep', 'docs', 'own/ro']) {
		close(folder, 0o555);
	}

	await revertPaths(store, await toRevert());
	expect(filesBelow(tree)).toEqual(before);
	expect(existsSync(join(tree, 'own'))).toBe(false);
	expect([modeOf(join(tree, 'docs')), modeOf(join(tree, 'docs/deep'))]).toEqual([0o555, 0o555]);
	chmodSync(join(tree, 'docs'), 0o755);
	chmodSync(join(tree, 'docs/deep'), 0o755);
});

test('what is in a worktree that may not be written itself goes back, and it keeps its mode', async () => {
	const {tree, store, close, toRevert, before} = await closable();
	write(tree, {'a.txt': 'edited\n', 'new/x': 'x\n'});
	close('', 0o555);
	await revertPaths(store, await toRevert());
	expect(filesBelow(tree)).toEqual(before);
	expect(existsSync(join(tree, 'new'))).toBe(false);
	expect(modeOf(tree)).toBe(0o555);
});

test('a folder that was closed altogether since is opened, too', async () => {
	const {tree, store, close, toRevert, before} = await closable();
	write(tree, {'docs/b.txt': 'edited\n', 'docs/deep/c.txt': 'edited\n'});
	const found = await toRevert();
	close('docs/deep', 0o000);
	close('docs', 0o000);
	await revertPaths(store, found);
	expect(modeOf(join(tree, 'docs'))).toBe(0);
	chmodSync(join(tree, 'docs'), 0o755);
	expect(modeOf(join(tree, 'docs/deep'))).toBe(0);
	chmodSync(join(tree, 'docs/deep'), 0o755);
	expect(filesBelow(tree)).toEqual(before);
});

test('no folder behind a link is opened', async () => {
	const {tree, store, toRevert} = await closable();
	write(tree, {'docs/deep/c.txt': 'edited\n'});
	const found = await toRevert();
	const outside = temporaryFolder();
	write(outside, {'deep/c.txt': 'edited\n'});
	chmodSync(join(outside, 'deep'), 0o500);
	chmodSync(outside, 0o555);
	onTestFinished(() => chmodSync(outside, 0o755));
	renameSync(join(tree, 'docs'), join(tree, 'away'));
	symlinkSync(outside, join(tree, 'docs'));
	await expect(revertPaths(store, found)).rejects.toMatchObject({kind: 'refused'});
	expect([modeOf(outside), modeOf(join(outside, 'deep'))]).toEqual([0o555, 0o500]);
	expect(readFileSync(join(outside, 'deep/c.txt'), 'utf8')).toBe('edited\n');
	chmodSync(outside, 0o755);
	chmodSync(join(outside, 'deep'), 0o755);
});

test.skipIf(!isRoot)(
	'what lies in a folder of another user stays and is named, the rest goes back',
	async () => {
		const {tree, store, toRevert} = await closable();
		write(tree, {'a.txt': 'edited\n', 'theirs/x': 'x\n'});
		const found = await toRevert();
		await asRoot(`chown 0 '${tree}/theirs'; chmod 755 '${tree}/theirs'`);
		await expect(revertPaths(store, found)).rejects.toMatchObject({
			kind: 'missing',
			message: expect.stringContaining('theirs/x stays'),
		});
		expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('edited\n');
		expect([...(await revertPossible(store, found))]).toEqual([
			['theirs/x', 'only its owner may write in ./theirs'],
		]);
		expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('a\n');
		await asRoot(`chown -R 65534 '${tree}'`);
	},
);

test.skipIf(!isRoot)(
	'what git can’t remove although the folder may be written is named with its words',
	async () => {
		const {tree, store, toRevert} = await closable();
		write(tree, {'a.txt': 'edited\n', 'sticky/x': 'x\n', 'docs/b.txt': 'edited\n'});
		const found = await toRevert();
		await asRoot(`cd '${tree}'; chown 0 sticky sticky/x docs docs/b.txt; chmod 1777 sticky docs`);
		const stuck = await revertPossible(store, found);
		expect([...stuck.keys()].toSorted()).toEqual(['docs/b.txt', 'sticky/x']);
		expect(stuck.get('sticky/x')).toMatch(/^unable to unlink .*Operation not permitted$/);
		expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('a\n');
		await asRoot(`chown -R 65534 '${tree}'`);
	},
);
