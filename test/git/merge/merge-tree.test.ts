import {chmodSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {conflictText, hasMarkers, markerSizeOf} from '../../../src/git/merge/conflict-text.ts';
import {mergeCommits} from '../../../src/git/merge/merge-tree.ts';
import {readBlob} from '../../../src/git/tree/blobs.ts';
import {entriesOf} from '../../../src/git/tree/listing.ts';
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

test('each conflict is told with its path, its kinds and what each side that has the file has there', async () => {
	const found = await conflictsOf(
		{
			...{'a\n"b.txt': lines('x'), ...binary(1), 'gone.txt': 'a\n'},
			...{'old.txt': lines('old'), 'split.txt': lines('split'), 'link.txt': lines('link')},
		},
		root => {
			renameSync(join(root, 'old.txt'), join(root, 'new.txt'));
			renameSync(join(root, 'split.txt'), join(root, 'left.txt'));
			write(root, {
				...{'a\n"b.txt': lines('ours'), ...binary(2), 'gone.txt': 'ours\n', 'link.txt': 'ours\n'},
				...{'both.txt': 'ours\n', 'run.sh': 'true\n', at: 'a file\n'},
			});
		},
		root => {
			for (const path of ['gone.txt', 'old.txt', 'link.txt']) {
				rmSync(join(root, path));
			}

			renameSync(join(root, 'split.txt'), join(root, 'right.txt'));
			symlinkSync('elsewhere', join(root, 'link.txt'));
			write(root, {
				...{'a\n"b.txt': lines('theirs'), ...binary(3)},
				...{'both.txt': 'theirs\n', 'run.sh': 'true\n', 'at/inner.txt': 'x\n'},
			});
			chmodSync(join(root, 'run.sh'), 0o755);
		},
	);
	const [text, link] = ['100644', '120000'];
	expect(
		found.map(({path, kinds, base, ours, theirs}) => [
			path.replace(/~\w+$/, ''),
			[base?.mode, ours?.mode, theirs?.mode],
			kinds,
		]),
	).toEqual([
		['a\n"b.txt', [text, text, text], ['contents']],
		['a.bin', [text, text, text], expect.arrayContaining(['binary'])],
		['at', [undefined, text, undefined], ['file/directory']],
		['both.txt', [undefined, text, text], ['add/add']],
		['gone.txt', [text, text, undefined], ['modify/delete']],
		['left.txt', [undefined, text, undefined], ['rename/rename']],
		['link.txt', [undefined, undefined, link], ['distinct modes']],
		['link.txt', [text, text, undefined], ['distinct modes']],
		['new.txt', [text, text, undefined], ['rename/delete']],
		['right.txt', [undefined, undefined, text], ['rename/rename']],
		['run.sh', [undefined, text, '100755'], ['add/add']],
		['split.txt', [text, undefined, undefined], ['rename/rename']],
	]);
	expect(found[0]?.summary).toContain('Merge conflict in');
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
