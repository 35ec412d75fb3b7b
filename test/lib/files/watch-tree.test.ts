import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, renameSync, rmSync, watch, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {
	type TreeWatch,
	type TreeWatchOptions,
	watchTree,
} from '../../../src/lib/files/watch-tree.ts';

const make = (root: string, paths: readonly string[]): void => {
	for (const path of paths) {
		mkdirSync(dirname(join(root, path)), {recursive: true});
		writeFileSync(join(root, path), 'one\n');
	}
};

/** A watched folder, of which all that was made is seen already; `settle` waits until all that was done before is seen as well. */
const watched = async (
	paths: readonly string[],
	options: Partial<TreeWatchOptions> = {},
): Promise<{
	root: string;
	tree: TreeWatch;
	told: () => Promise<void>;
	settle: () => Promise<void>;
}> => {
	const root = mkdtempSync(join(tmpdir(), 'watch-'));
	make(root, [...paths, 'barrier-0']);
	const tree = watchTree(root, {ignored: async () => new Set(), ...options});
	const barriers = watch(root);
	onTestFinished(() => {
		tree.close();
		barriers.close();
		rmSync(root, {recursive: true, force: true});
	});
	await tree.takeHint();
	let passed = 0;
	// The system tells all watches of a process in one order.
	const settle = async (): Promise<void> => {
		renameSync(join(root, `barrier-${passed}`), join(root, `barrier-${passed + 1}`));
		passed += 1;
		for (let name = ''; name !== `barrier-${passed}`; ) {
			[, name] = await once(barriers, 'change');
		}

		// Another watch of the same folder may be told only now.
		await nextTurn();
		while (await tree.takeHint()) {}
	};

	await settle();
	const told = async (): Promise<void> => {
		await expect.poll(tree.takeHint, {interval: 5}).toBe(true);
	};

	return {root, tree, told, settle};
};

test('a file that is edited, made, removed or moved is hinted at', async () => {
	const {root, told, settle} = await watched(['a.txt', 'deep/er/b.txt']);
	for (const change of [
		() => writeFileSync(join(root, 'deep/er/b.txt'), 'two\n'),
		() => writeFileSync(join(root, 'deep/new.txt'), 'new\n'),
		() => renameSync(join(root, 'a.txt'), join(root, 'deep/a.txt')),
		() => rmSync(join(root, 'deep/a.txt')),
	]) {
		change();
		await told();
		await settle();
	}
});

test('a file that an editor has replaced by a rename is hinted at again when it is edited later', async () => {
	const {root, told, settle} = await watched(['src/a.txt']);
	writeFileSync(join(root, 'src/a.txt.new'), 'two\n');
	renameSync(join(root, 'src/a.txt.new'), join(root, 'src/a.txt'));
	await told();
	await settle();
	writeFileSync(join(root, 'src/a.txt'), 'three\n');
	await told();
});

test('changes in folders that were made, moved in, renamed or replaced are hinted at', async () => {
	const {root, told, settle} = await watched(['src/a.txt']);
	const outside = mkdtempSync(join(tmpdir(), 'outside-'));
	onTestFinished(() => rmSync(outside, {recursive: true, force: true}));
	make(outside, ['lib/deep/b.txt']);
	const places: readonly (readonly [change: () => void, then: string])[] = [
		[() => make(root, ['made/in/one/step.txt']), 'made/in/one/step.txt'],
		[() => renameSync(join(outside, 'lib'), join(root, 'lib')), 'lib/deep/b.txt'],
		[() => renameSync(join(root, 'lib'), join(root, 'src/lib')), 'src/lib/deep/b.txt'],
		[
			() => {
				rmSync(join(root, 'made'), {recursive: true});
				make(root, ['made/in/another.txt']);
			},
			'made/in/another.txt',
		],
	];
	for (const [change, then] of places) {
		change();
		await told();
		await settle();
		writeFileSync(join(root, then), 'later\n');
		await told();
		await settle();
	}
});

test('a checkout of 5,000 files in 500 folders leaves none of its folders unwatched', async () => {
	const {root, told, settle} = await watched(['a.txt']);
	const files = Array.from({length: 5000}, (_, index) => `f${index % 500}/${index}.txt`);
	make(root, files);
	await told();
	await settle();
	for (const folder of [0, 99, 250, 499]) {
		writeFileSync(join(root, `f${folder}/later.txt`), '');
		await told();
		await settle();
	}
});

test('an ignored folder is not watched, until the rules that ignore it change', async () => {
	let rules = new Set(['out']);
	const {root, tree, told, settle} = await watched(['src/a.txt', 'out/one/two/three/b.txt'], {
		ignored: async folders => new Set(folders.filter(folder => rules.has(folder))),
		maximumFolders: 3,
	});
	expect(tree.trouble()).toBeUndefined();
	rules = new Set(['out/one']);
	writeFileSync(join(root, '.gitignore'), 'out/one\n');
	await told();
	await settle();
	writeFileSync(join(root, 'out/c.txt'), 'c\n');
	await told();
	expect(tree.trouble()).toBeUndefined();
});

test('a tree of more folders than can be watched always hints, and tells why', async () => {
	const root = mkdtempSync(join(tmpdir(), 'watch-'));
	make(root, ['a/b/c/d.txt']);
	const tree = watchTree(root, {ignored: async () => new Set(), maximumFolders: 2});
	onTestFinished(() => {
		tree.close();
		rmSync(root, {recursive: true, force: true});
	});
	await tree.takeHint();
	expect(await tree.takeHint()).toBe(true);
	expect(await tree.takeHint()).toBe(true);
	expect(tree.trouble()).toEqual(new Error('it has more than 2 folders'));
});

test('a tree whose own folder was replaced, or moved away and back, is hinted at again', async () => {
	const {root, tree, told} = await watched(['a.txt']);
	const quiet = async (): Promise<void> => {
		while (await tree.takeHint()) {}
	};

	rmSync(root, {recursive: true});
	await told();
	expect(await tree.takeHint()).toBe(true);
	make(root, ['deep/a.txt']);
	await told();
	await quiet();
	writeFileSync(join(root, 'deep/a.txt'), 'two\n');
	await told();
	await quiet();

	renameSync(root, `${root}-aside`);
	await told();
	renameSync(`${root}-aside`, root);
	await told();
	await quiet();
	writeFileSync(join(root, 'deep/a.txt'), 'three\n');
	await told();
	expect(tree.trouble()).toBeUndefined();
});

test.skipIf(spawnSync('unshare', ['--map-root-user', 'true']).status !== 0)(
	'a tree of more folders than the system lets this user watch always hints, and tells why',
	() => {
		const root = mkdtempSync(join(tmpdir(), 'watch-'));
		onTestFinished(() => rmSync(root, {recursive: true, force: true}));
		make(root, ['a/a.txt', 'b/b.txt', 'c/c.txt', 'd/d.txt']);
		const program = `
const {watchTree} = await import(${JSON.stringify(resolve('src/lib/files/watch-tree.ts'))});
const tree = watchTree(${JSON.stringify(root)}, {ignored: async () => new Set()});
console.log(await tree.takeHint(), await tree.takeHint(), await tree.takeHint(), tree.trouble().code);
`;
		const limited =
			'echo 3 > /proc/sys/user/max_inotify_watches && exec "$0" --input-type=module --eval "$1"';
		const {stdout, stderr} = spawnSync(
			'unshare',
			['--map-root-user', 'sh', '-c', limited, process.execPath, program],
			{encoding: 'utf8'},
		);
		expect(`${stdout}${stderr}`).toBe('true true true ENOSPC\n');
	},
);

test('a tree of which the rules can’t be asked always hints', async () => {
	const root = mkdtempSync(join(tmpdir(), 'watch-'));
	make(root, ['a/b.txt']);
	const tree = watchTree(root, {
		ignored: async folders => {
			if (folders.length > 0) {
				throw new Error('git has crashed');
			}

			return new Set();
		},
	});
	onTestFinished(() => {
		tree.close();
		rmSync(root, {recursive: true, force: true});
	});
	for (let look = 0; look < 4; look++) {
		expect(await tree.takeHint()).toBe(true);
	}

	expect(tree.trouble()).toEqual(new Error('git has crashed'));
});
