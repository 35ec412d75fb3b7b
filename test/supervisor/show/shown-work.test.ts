import {expect, test} from 'vitest';
import {subject} from '../../../src/control/subject.ts';
import type {Store} from '../../../src/git/store/store.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {plainPatch, treeOf} from '../../../src/git/tree/graft.ts';
import {defined} from '../../../src/lib/values.ts';
import {unshownNotes} from '../../../src/rules/listed-file.ts';
import {show} from '../../../src/supervisor/show/show.ts';
import {listFiles, shownPatch} from '../../../src/supervisor/show/shown-work.ts';
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

const commands = {setup: [], verify: []};

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
	const text = await shownPatch(store, [from, to], {commands});
	const surface = ['run.sh', 'src/up', 'web/package.json', 'z/.husky/pre-commit'];
	expect(headed(text)).toEqual([...surface, 'a.txt', 'b.txt', 'z.txt']);
});

test('a file that is moved out of the surface is told as one that goes', async () => {
	const text = 'a line\n'.repeat(20);
	const {store, from, to} = await makeTrees({'.envrc': text}, {'old-envrc': text});
	expect(headed(await plainPatch(store, from, to))).toEqual(['old-envrc']);
	expect(headed(await shownPatch(store, [from, to], {commands}))).toEqual(['.envrc', 'old-envrc']);
});

test('a link in the place of a folder, and a folder in the place of a link, are told whole', async () => {
	const {store, from, to} = await makeTrees(
		{'a/b.txt': 'b\n', c: ['120000', 'a'], 'd.txt': 'd\n'},
		{a: ['120000', 'c'], 'c/e.txt': 'e\n', 'd.txt': 'D\n'},
	);
	const text = await shownPatch(store, [from, to], {commands});
	expect(new Set(headed(text))).toEqual(new Set(['a', 'a/b.txt', 'c', 'c/e.txt', 'd.txt']));
	expect(headed(text)).toContain('a');
	expect(headed(text).indexOf('a')).toBeLessThan(headed(text).indexOf('d.txt'));
});

test('a long file leaves room for all others: it is listed with its lines, and in no diff', async () => {
	const {store, from, to} = await makeTrees(
		{'b.txt': '1\n', was: 'same\n'.repeat(9)},
		{
			'a.json': 'line\n'.repeat(21),
			'b.txt': '2\n',
			is: `${'same\n'.repeat(9)}more\n`,
			'package.json': 'line\n'.repeat(8),
			'z.js': 'evil\n',
		},
	);
	const showing = {commands, most: 20};
	const files = await listFiles(store, [from, to], showing);
	expect(files.map(({path, added, shown}) => [path, added, shown])).toEqual([
		['a.json', 21, false],
		['b.txt', 1, true],
		['is', 1, true],
		['package.json', 8, true],
		['z.js', 1, true],
	]);
	expect(headed(await shownPatch(store, [from, to], showing))).toEqual([
		'package.json',
		'b.txt',
		'is',
		'z.js',
	]);
	expect(unshownNotes(files)).toEqual(['Too long to be shown on the screen: a.json (+21 −0).']);
});

test.each([
	['what runs by itself', 'a.sh', 'package.json'],
	['the shortest', 'b', 'c'],
])('where there is not room for all, %s is shown', async (_, long, kept) => {
	const {store, from, to} = await makeTrees(
		{},
		{[long]: 'line\n'.repeat(6), [kept]: 'line\n'.repeat(5)},
	);
	expect(headed(await shownPatch(store, [from, to], {commands, most: 7}))).toEqual([kept]);
	expect(headed(await shownPatch(store, [from, to], {commands, most: 0}))).toEqual([]);
});

test('a renamed file that is too long is left out with both of its names', async () => {
	const text = 'line\n'.repeat(30);
	const {store, from, to} = await makeTrees({was: text}, {is: text + 'more\n'.repeat(9), x: 'x\n'});
	const showing = {commands, most: 5};
	expect(await listFiles(store, [from, to], showing)).toMatchObject([
		{path: 'is', from: 'was', shown: false},
		{path: 'x', shown: true},
	]);
	expect(headed(await shownPatch(store, [from, to], showing))).toEqual(['x']);
});

test('a file in the place of a folder can be left out alone', async () => {
	const {store, from, to} = await makeTrees({'a/b.txt': 'b\n'.repeat(30)}, {a: 'a\n'});
	expect(headed(await shownPatch(store, [from, to], {commands, most: 5}))).toEqual(['a']);
});

test.each([
	['none of it', {'b.txt': '1\n'}],
	['all of it', {'.npmrc': '1\n', 'c/package.json': '1\n'}],
] as const)('where %s is surface, a diff is as git makes it', async (_, after) => {
	const {store, from, to} = await makeTrees({}, after);
	expect(await shownPatch(store, [from, to], {commands})).toBe(await plainPatch(store, from, to));
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

test('the files of a work are listed whole over the pages, however long their names are', async () => {
	const name = `${'folder/'.repeat(400)}a.txt`;
	const {world, state, from, to} = await makeTrees({}, {[name]: 'a\n', 'b.txt': 'b\n'});
	const built = mergeBuilt({commit: to, tree: to, tip: from, agents: [], files: 2});
	const merge = {phase: 'verified', built, verified: {ok: true, commands: [], log: null}} as const;
	const what = {of: 'files', in: {of: 'result'}} as const;
	const pages = await Promise.all(
		[0, 1].map(offset => show(world, {...state, merge}, {what, offset, limit: 1})),
	);
	expect(pages.flatMap(({lines}) => lines).map(line => JSON.parse(line).path)).toEqual([
		'b.txt',
		name,
	]);
	expect(pages.at(-1)).toMatchObject({cut: 0, next: null, total: 2});
});

/** Twelve files that name something, as it was called before and after. */
const naming = (name: string): Held =>
	Object.fromEntries(
		Array.from({length: 12}, (_, number) => [
			`src/part${number % 3}/file${number}.ts`,
			`export const own${number} = 1;\n${name}(own${number});\n`,
		]),
	);

const packages = (name: string): Held =>
	Object.fromEntries(
		Array.from({length: 3}, (_, number) => [`web${number}/package.json`, `{"name": "${name}"}\n`]),
	);

test('a change that many files repeat is shown once and last, with the names of the others', async () => {
	const before = {...naming('ask'), ...packages('ask'), 'z.txt': 'a\n'};
	const after = {
		...{...naming('request'), ...packages('request'), 'z.txt': 'b\n'},
		'src/part1/file1.ts': 'export const own1 = 1;\nrequest(own1);\nsend(own1);\n',
	};
	const {store, from, to} = await makeTrees(before, after);
	const files = await listFiles(store, [from, to], {commands});
	const surface = ['web0/package.json', 'web1/package.json', 'web2/package.json'];
	const example = 'src/part0/file0.ts';
	expect(files.filter(({like}) => like === example)).toHaveLength(10);
	expect(files.filter(({shown}) => shown).map(({path}) => path)).toEqual([
		...[example, 'src/part1/file1.ts', ...surface, 'z.txt'],
	]);
	expect(headed(await shownPatch(store, [from, to], {commands}))).toEqual([
		...[...surface, 'src/part1/file1.ts', 'z.txt', example],
	]);
	expect(unshownNotes(files)).toEqual([
		expect.stringMatching(
			/^Not shown, since they change as src\/part0\/file0.ts does: (?:.+, ){9}.+\.$/,
		),
	]);
});

test('files that are too large to compare are listed all the same, with no change that repeats', async () => {
	const large = (first: string) => `${first}\0${'x'.repeat(34 * 2 ** 20)}`;
	const {store, from, to} = await makeTrees(
		{...naming('ask'), 'large.bin': large('a')},
		{...naming('request'), 'large.bin': large('b')},
	);
	const files = await listFiles(store, [from, to], {commands});
	expect(files.filter(({shown, like}) => shown && like === undefined)).toHaveLength(13);
	expect(files.find(({path}) => path === 'src/part0/file0.ts')).toMatchObject({
		...{added: 1, removed: 1},
	});
});

test('what repeats a change takes no room from other files', async () => {
	const {store, from, to} = await makeTrees(
		{...naming('ask'), 'z.txt': ''},
		{...naming('request'), 'z.txt': 'line\n'.repeat(10)},
	);
	const files = await listFiles(store, [from, to], {commands, most: 15});
	expect(files.filter(({shown}) => shown).map(({path}) => path)).toEqual([
		...['src/part0/file0.ts', 'z.txt'],
	]);
});

test('where there is no room for a change that many files repeat, none is said to change as another', async () => {
	const {store, from, to} = await makeTrees(
		{...naming('ask'), 'package.json': '{}\n'},
		{...naming('request'), 'package.json': '{"bin": 1}\n'},
	);
	const files = await listFiles(store, [from, to], {commands, most: 5});
	expect(files.filter(({shown}) => shown).map(({path}) => path)).toEqual(['package.json']);
	expect(files.filter(({like}) => like !== undefined)).toEqual([]);
	expect(unshownNotes(files)).toEqual([
		expect.stringMatching(
			/^Too long to be shown on the screen: src\/part0\/file0\.ts \(\+1 −1\), /,
		),
	]);
});

test('a file is shown alone, however many others changed, and a moved one by both of its names', async () => {
	const text = 'same\n'.repeat(9);
	const {world, state, from, to} = await makeTrees(
		{...naming('ask'), was: text},
		{...naming('request'), is: `${text}more\n`},
	);
	const built = mergeBuilt({commit: to, tree: to, tip: from, agents: [], files: 13});
	const merge = {phase: 'verified', built, verified: {ok: true, commands: [], log: null}} as const;
	const shown = async (...paths: readonly string[]) => {
		const what = {of: 'file', in: {of: 'result'}, paths} as const;
		const {lines} = await show(world, {...state, merge}, {what, offset: 0, limit: 1000});
		return lines.join('\n');
	};
	expect(headed(await shown('src/part2/file5.ts'))).toEqual(['src/part2/file5.ts']);
	expect(await shown('is', 'was')).toContain('rename from was\nrename to is\n');
	expect(headed(await shown('src/part2', '.'))).toEqual([]);
	const ask = {of: 'file', in: {of: 'result'}};
	expect(subject.safeParse({...ask, paths: ['is']}).success).toBe(true);
	expect(subject.safeParse({...ask, paths: []}).success).toBe(false);
});

test('a diff has as many lines around each change as are wanted, up to whole files, unless that is too much', async () => {
	const numbered = (lines: number, changed: string): string =>
		Array.from({length: lines}, (_, at) => (at === lines / 2 ? changed : `line ${at}`)).join('\n');
	const {store, from, to} = await makeTrees(
		{'a.txt': numbered(100, 'old')},
		{'a.txt': numbered(100, 'new')},
	);
	const linesWith = async (context?: number): Promise<number> =>
		(await shownPatch(store, [from, to], {commands, ...defined({context})}))
			.split('\n')
			.filter(line => line.startsWith(' ')).length;
	expect(await linesWith()).toBe(6);
	expect(await linesWith(10)).toBe(20);
	expect(await linesWith(10_000)).toBe(99);

	const long = await makeTrees({a: numbered(170_000, 'old')}, {a: numbered(170_000, 'new')});
	const whole = shownPatch(long.store, [long.from, long.to], {commands, context: 100_000});
	await expect(whole).rejects.toThrow('more than 160000 lines');
});

const png = (width: number): Buffer => {
	const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\x28', 'latin1');
	head.writeUInt32BE(width, 16);
	return head;
};

const treeOfBytes = async (
	store: Store,
	held: Readonly<Record<string, string | Buffer>>,
): Promise<string> => {
	const entries = Object.entries(held).map(async ([path, content]) => {
		const oid = await writeBlob(store, Buffer.from(content));
		return [path, {mode: '100644', oid}] as const;
	});
	return treeOf(store, await Promise.all(entries));
};

test('no more images are read for their heads than have room, and of others the length is told', async () => {
	const {store} = (await makeSupervised({})).world;
	const large = (width: number) => Buffer.concat([png(width), Buffer.alloc(3 * 2 ** 20)]);
	const from = await treeOfBytes(store, {});
	const to = await treeOfBytes(store, {
		...{'a.png': large(1), 'b.png': large(2), 'c.png': large(3), 'd.png': png(4)},
	});
	const files = await listFiles(store, [from, to], {commands});
	expect(files.map(({holds}) => holds?.[1])).toEqual([
		...['PNG 1×40, 3.0 MiB', 'PNG 2×40, 3.0 MiB', '3.0 MiB', 'PNG 4×40, 24 bytes'],
	]);
});

test('a file that is no text is listed with what it holds before and after', async () => {
	const {store} = (await makeSupervised({})).world;
	const from = await treeOfBytes(store, {
		'logo.png': png(32),
		'old.bin': 'a\0b',
		'text.txt': 'a\n',
	});
	const to = await treeOfBytes(store, {
		'logo.png': png(64),
		'new.bin': '\0'.repeat(2048),
		'text.txt': 'b\n',
	});
	const files = await listFiles(store, [from, to], {commands});
	expect(files.map(({path, holds}) => [path, holds])).toEqual([
		['logo.png', ['PNG 32×40, 24 bytes', 'PNG 64×40, 24 bytes']],
		['new.bin', [null, '2.0 KiB']],
		['old.bin', ['3 bytes', null]],
		['text.txt', undefined],
	]);
	expect(unshownNotes(files)).toEqual([
		'Not shown, since it is not text: logo.png (PNG 32×40, 24 bytes → PNG 64×40, 24 bytes), new.bin (2.0 KiB), old.bin (3 bytes).',
	]);
});
