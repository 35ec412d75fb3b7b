import {chmodSync, mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {conflictText, hasMarkers, markerSizeOf} from '../../../src/git/merge/conflict-text.ts';
import {mergeCommits} from '../../../src/git/merge/merge-tree.ts';
import {readBlob} from '../../../src/git/tree/blobs.ts';
import {entriesOf} from '../../../src/git/tree/entry.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';
import {type Edit, twoSides} from '../../helpers/two-sides.ts';

/** Two branches from one base, each with an edit, and what git makes of them. */
const mergedFrom = async (base: Files, ours: Edit, theirs: Edit) => {
	const {a, b, merge, ...world} = await twoSides({base, a: ours, b: theirs});
	return {...world, ours: a, theirs: b, result: merge};
};

const conflictsOf = async (base: Files, ours: Edit, theirs: Edit) => {
	const {result} = await mergedFrom(base, ours, theirs);
	return result.clean ? [] : result.conflicts;
};

const remove = (path: string) => (root: string) => rmSync(join(root, path), {recursive: true});

const lines = (...middle: readonly string[]) =>
	['one', 'two', ...middle, 'three', 'four', ''].join('\n');

/** A file that is not text. */
const binary = (byte: number) => ({'a.bin': Uint8Array.of(0, byte, 0)});

test('edits of different files and of different lines merge', async () => {
	const {result, store} = await mergedFrom(
		{'a.txt': 'a\n', 'b.txt': lines()},
		{'a.txt': 'ours\n', 'b.txt': `top\n${lines()}`},
		{'b.txt': `${lines()}bottom\n`, 'c\nd.txt': 'new\n'},
	);
	expect(result.clean).toBe(true);
	const entries = await entriesOf(store, result.tree);
	expect([...entries.keys()]).toEqual(['a.txt', 'b.txt', 'c\nd.txt']);
	const merged = await readBlob(store, entries.get('b.txt')?.oid ?? '');
	expect(merged.toString()).toBe(`top\n${lines()}bottom\n`);
});

test('an edit follows a file that the other side moved', async () => {
	const {result, store} = await mergedFrom(
		{'old.txt': lines()},
		root => renameSync(join(root, 'old.txt'), join(root, 'new.txt')),
		{'old.txt': `${lines()}bottom\n`},
	);
	expect(result.clean).toBe(true);
	expect([...(await entriesOf(store, result.tree)).keys()]).toEqual(['new.txt']);
});

test('a folder that one side moved does not take the other side’s new file along', async () => {
	const {result, store} = await mergedFrom(
		{'lib/a.txt': lines(), 'lib/b.txt': `b${lines()}`},
		root => renameSync(join(root, 'lib'), join(root, 'core')),
		{'lib/new.txt': 'new\n'},
	);
	expect(result.clean).toBe(true);
	expect([...(await entriesOf(store, result.tree)).keys()]).toContain('lib/new.txt');
});

test('two edits of one line conflict in their contents', async () => {
	const [conflict, ...more] = await conflictsOf(
		{'a\n"b.txt': lines('x')},
		{'a\n"b.txt': lines('ours')},
		{'a\n"b.txt': lines('theirs')},
	);
	expect(more).toEqual([]);
	expect(conflict).toMatchObject({
		path: 'a\n"b.txt',
		kinds: ['contents'],
		base: {mode: '100644'},
		ours: {mode: '100644'},
		theirs: {mode: '100644'},
	});
	expect(conflict?.summary).toContain('Merge conflict in');
});

test('an edit and a removal conflict, and the side without the file has no entry', async () => {
	const [conflict] = await conflictsOf(
		{'a.txt': 'a\n', 'b.txt': ''},
		{'a.txt': 'ours\n'},
		remove('a.txt'),
	);
	expect(conflict).toMatchObject({path: 'a.txt', kinds: ['modify/delete']});
	expect(conflict).not.toHaveProperty('theirs');
	expect(conflict).toHaveProperty('base');
});

test('two new files at one path conflict', async () => {
	const [conflict] = await conflictsOf(
		{'a.txt': ''},
		{'new.txt': 'ours\n'},
		{'new.txt': 'theirs\n'},
	);
	expect(conflict).toMatchObject({path: 'new.txt', kinds: ['add/add']});
	expect(conflict).not.toHaveProperty('base');
});

test('a move and a removal conflict', async () => {
	const found = await conflictsOf(
		{'old.txt': lines(), 'b.txt': ''},
		root => renameSync(join(root, 'old.txt'), join(root, 'new.txt')),
		remove('old.txt'),
	);
	expect(found).toMatchObject([{path: 'new.txt', kinds: ['rename/delete']}]);
});

test('two moves of one file conflict at every path they touch', async () => {
	const moveTo = (name: string) => (root: string) =>
		renameSync(join(root, 'old.txt'), join(root, name));
	const found = await conflictsOf({'old.txt': lines()}, moveTo('a.txt'), moveTo('b.txt'));
	expect(found.map(({path}) => path)).toEqual(['a.txt', 'b.txt', 'old.txt']);
	expect(found.flatMap(({kinds}) => kinds)).toContain('rename/rename');
});

test('two edits of a binary file conflict', async () => {
	const [conflict] = await conflictsOf(binary(1), binary(2), binary(3));
	expect(conflict).toMatchObject({path: 'a.bin'});
	expect(conflict?.kinds).toContain('binary');
});

test('a file and a link at one path conflict', async () => {
	const found = await conflictsOf({'a.txt': lines()}, {'a.txt': 'ours\n'}, root => {
		rmSync(join(root, 'a.txt'));
		symlinkSync('elsewhere', join(root, 'a.txt'));
	});
	expect(found.flatMap(({kinds}) => kinds)).toContain('distinct modes');
});

test('new files that differ in their mode alone conflict', async () => {
	const found = await conflictsOf({'a.txt': ''}, {'run.sh': 'true\n'}, root => {
		write(root, {'run.sh': 'true\n'});
		chmodSync(join(root, 'run.sh'), 0o755);
	});
	expect(found).toMatchObject([
		{path: 'run.sh', kinds: ['add/add'], ours: {mode: '100644'}, theirs: {mode: '100755'}},
	]);
});

test('a file and a folder at one path conflict', async () => {
	const found = await conflictsOf({'b.txt': ''}, {a: 'file\n'}, root => {
		mkdirSync(join(root, 'a'));
		write(root, {'a/inner.txt': 'x\n'});
	});
	expect(found.flatMap(({kinds}) => kinds)).toContain('file/directory');
});

test('attributes of the project count, in every folder', async () => {
	const merge = (attributes: Files) =>
		conflictsOf(
			{...attributes, 'log.txt': 'x\n', 'docs/log.txt': 'x\n'},
			{'log.txt': 'x\nours\n', 'docs/log.txt': 'x\nours\n'},
			{'log.txt': 'x\ntheirs\n', 'docs/log.txt': 'x\ntheirs\n'},
		);
	const paths = async (attributes: Files) => (await merge(attributes)).map(({path}) => path);
	expect(await paths({})).toEqual(['docs/log.txt', 'log.txt']);
	expect(await paths({'.gitattributes': '/log.txt merge=union\n'})).toEqual(['docs/log.txt']);
	expect(await paths({'docs/.gitattributes': '*.txt merge=union\n'})).toEqual(['log.txt']);
});

test('commits without a common ancestor are refused with that reason', async () => {
	const {store, root, ours} = await mergedFrom({'a.txt': ''}, {}, {});
	git(root, 'checkout', '--quiet', '--orphan', 'alone');
	const alone = commitAll(root);
	await expect(mergeCommits(store, ours, alone)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('common ancestor'),
	});
});

test('a commit that is not there is git’s own failure', async () => {
	const {store, ours} = await mergedFrom({'a.txt': ''}, {}, {});
	await expect(mergeCommits(store, ours, '1'.repeat(40))).rejects.toMatchObject({kind: 'internal'});
});

/** What a conflict of three contents of one file is shown as, and where. */
const shownConflict = async (base: Files, ours: Files, theirs: Files) => {
	const {store, result} = await mergedFrom(base, ours, theirs);
	const [conflict] = result.clean ? [] : result.conflicts;
	const labels = {base: 'start', ours: 'AGT-001', theirs: 'AGT-002'};
	const shown = await conflictText(store, {...conflict, labels});
	return {store, conflict, shown, text: shown.kind === 'text' ? shown.text : Buffer.alloc(0)};
};

test('a conflicted text shows both sides and the base between long marks', async () => {
	const {shown, text} = await shownConflict(
		{'a.txt': lines('x')},
		{'a.txt': lines('ours')},
		{'a.txt': lines('theirs')},
	);
	expect(shown).toMatchObject({kind: 'text', conflicts: 1});
	expect(text.toString().split('\n')).toEqual([
		'one',
		'two',
		`${'<'.repeat(15)} AGT-001`,
		'ours',
		`${'|'.repeat(15)} start`,
		'x',
		'='.repeat(15),
		'theirs',
		`${'>'.repeat(15)} AGT-002`,
		'three',
		'four',
		'',
	]);
	expect(hasMarkers(text, 15)).toBe(true);
});

test('marks of git’s usual length are a file’s own content', () => {
	const usual = ['<', '|', '=', '>'].map(mark => mark.repeat(7)).join(' a\n');
	expect(hasMarkers(Buffer.from(usual), 15)).toBe(false);
	expect(hasMarkers(Buffer.from(`x\r\n${'>'.repeat(15)}\r\n`), 15)).toBe(true);
});

test('marks are longer than whatever in the files could be taken for one', async () => {
	const own = `${'<'.repeat(15)} AGT-001\n${'='.repeat(40)}\n${'>'.repeat(15)} AGT-002\n`;
	const {store, conflict, shown, text} = await shownConflict(
		{'a.txt': `${own}x\n`},
		{'a.txt': `${own}ours\n`},
		{'a.txt': `${own}theirs\n`},
	);
	expect(shown).toMatchObject({markerSize: 41});
	expect(await markerSizeOf(store, {...conflict})).toBe(41);
	expect(text.toString()).toContain(`${own}${'<'.repeat(41)} AGT-001\nours\n`);
	expect([hasMarkers(text, 41), hasMarkers(Buffer.from(own), 41)]).toEqual([true, false]);
});

test('a binary side is told apart', async () => {
	const {shown} = await shownConflict(binary(1), binary(2), binary(3));
	expect(shown).toEqual({kind: 'binary'});
});
