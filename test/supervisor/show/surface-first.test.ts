import {expect, test} from 'vitest';
import type {Store} from '../../../src/git/store/store.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {treeOf} from '../../../src/git/tree/graft.ts';
import {patch} from '../../../src/git/tree/patch.ts';
import {show} from '../../../src/supervisor/show/show.ts';
import {patchSurfaceFirst} from '../../../src/supervisor/show/surface-first.ts';
import {mergeBuilt} from '../../helpers/happened.ts';
import {makeSupervised} from '../world.ts';

/** What a tree holds by path: a file's text, or a mode and a text. */
type Held = Readonly<Record<string, string | readonly [mode: string, text: string]>>;

const treeWith = async (store: Store, held: Held): Promise<string> => {
	const entries = Object.entries(held).map(async ([path, content]) => {
		const [mode, text] = typeof content === 'string' ? ['100644', content] : content;
		return [path, {mode, oid: await writeBlob(store, Buffer.from(text))}] as const;
	});
	return treeOf(store, await Promise.all(entries));
};

const makeTrees = async (before: Held, after: Held) => {
	const supervised = await makeSupervised({});
	const {store} = supervised.world;
	const [from, to] = [await treeWith(store, before), await treeWith(store, after)];
	return {...supervised, store, from, to};
};

/** The paths of a diff, in its order. */
const headed = (text: string): readonly string[] =>
	[...text.matchAll(/^diff --git a\/.* b\/(.*)$/gm)].map(([, path = '']) => path);

test('what runs by itself and links come first in a diff, and all else after them, in the order of paths', async () => {
	const {store, from, to} = await makeTrees(
		{'a.txt': '1\n', 'web/package.json': '{}\n', 'z.txt': '1\n', 'run.sh': 'x\n'},
		{
			'a.txt': '2\n',
			'b.txt': 'new\n',
			'run.sh': ['100755', 'x\n'],
			'src/up': ['120000', '../a.txt'],
			'web/package.json': '{"bin": 1}\n',
			'z.txt': '2\n',
			'z/.husky/pre-commit': 'evil\n',
		},
	);
	const text = await patchSurfaceFirst(store, from, to, {setup: [], verify: []});
	const surface = ['run.sh', 'src/up', 'web/package.json', 'z/.husky/pre-commit'];
	expect(headed(text)).toEqual([...surface, 'a.txt', 'b.txt', 'z.txt']);

	const [stat = ''] = text.split('\n\n');
	expect(stat).toBe((await patch(store, from, to)).split('\n\n')[0]);
	expect(stat).toContain('7 files changed');
});

test('a file that is moved out of the surface is told as one that goes', async () => {
	const text = 'a line\n'.repeat(20);
	const {store, from, to} = await makeTrees({'.envrc': text}, {'old-envrc': text});
	expect(headed(await patch(store, from, to))).toEqual(['old-envrc']);
	expect(headed(await patchSurfaceFirst(store, from, to, {setup: [], verify: []}))).toEqual([
		'.envrc',
		'old-envrc',
	]);
});

test('a link in the place of a folder, and a folder in the place of a link, are told whole', async () => {
	const {store, from, to} = await makeTrees(
		{'a/b.txt': 'b\n', c: ['120000', 'a'], 'd.txt': 'd\n'},
		{a: ['120000', 'c'], 'c/e.txt': 'e\n', 'd.txt': 'D\n'},
	);
	const text = await patchSurfaceFirst(store, from, to, {setup: [], verify: []});
	expect(new Set(headed(text))).toEqual(new Set(['a', 'a/b.txt', 'c', 'c/e.txt', 'd.txt']));
	expect(headed(text)).toContain('a');
	expect(headed(text).indexOf('a')).toBeLessThan(headed(text).indexOf('d.txt'));
});

test.each([
	['none of it', {'b.txt': '1\n'}],
	['all of it', {'.npmrc': '1\n', 'c/package.json': '1\n'}],
] as const)('where %s is surface, a diff is as git makes it', async (_, after) => {
	const {store, from, to} = await makeTrees({}, after);
	expect(await patchSurfaceFirst(store, from, to, {setup: [], verify: []})).toBe(
		await patch(store, from, to),
	);
});

test('the order holds over the pages in which a screen asks for the result', async () => {
	const {world, state, from, to} = await makeTrees(
		{},
		{'a.txt': 'line\n'.repeat(40), 'package.json': '{}\n', '.github/ci.yml': 'on: push\n'},
	);
	const built = mergeBuilt({commit: to, tree: to, tip: from, agents: [], files: 3});
	const merge = {phase: 'verified', built, verified: {ok: true, commands: [], log: null}} as const;
	const lines: string[] = [];
	for (let offset: number | null = 0; offset !== null; ) {
		const page = await show(world, {...state, merge}, {what: {of: 'result'}, offset, limit: 7});
		lines.push(...page.lines);
		offset = page.next;
	}

	expect(headed(lines.join('\n'))).toEqual(['.github/ci.yml', 'package.json', 'a.txt']);
});
