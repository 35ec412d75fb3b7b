import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {cleanFilters} from '../../../src/git/filters/clean-filters.ts';
import {changes} from '../../../src/git/tree/changes.ts';
import {type Files, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const attributes = {'.gitattributes': '*.bin filter=up\n'};

/** A person with a filter `up` that keeps what they have in capitals, and the work of an agent that wrote these files. */
const filtered = async (
	files: Files,
	settings: Readonly<Record<string, string>>,
	given: Files = attributes,
) => {
	const world = await makeWorld({'a.txt': 'a\n', ...given});
	for (const [name, value] of Object.entries(settings)) {
		git(world.root, 'config', name, value);
	}

	write(world.tree, files);
	const {tree} = await world.snapshot();
	const {repository, store, base: tip} = world;
	const clean = async () =>
		cleanFilters(repository, store, {tip, tree, changes: await changes(store, tip, tree)});
	const show = (tree: string, path: string) =>
		git(store.gitDir, 'cat-file', 'blob', `${tree}:${path}`);
	return {...world, tree, clean, show};
};

const capitals = {'filter.up.clean': 'tr a-z A-Z', 'filter.up.smudge': 'tr A-Z a-z'};

test('what an agent wrote is taken in through the filter of the person’s settings, and only that', async () => {
	const {clean, show, tree, root, store} = await filtered(
		{'new.bin': 'new\n', 'sub/new.bin': 'deep\n', 'new.txt': 'plain\n'},
		capitals,
	);
	const before = git(root, 'status', '--porcelain');
	const cleaned = await clean();
	expect([...cleaned.filtered]).toEqual([
		['new.bin', 'up'],
		['sub/new.bin', 'up'],
	]);
	expect(show(cleaned.tree, 'new.bin')).toBe('NEW');
	expect(show(cleaned.tree, 'sub/new.bin')).toBe('DEEP');
	expect(show(cleaned.tree, 'new.txt')).toBe('plain');
	expect(show(tree, 'new.bin')).toBe('new');
	expect(git(root, 'status', '--porcelain')).toBe(before);
	expect(readdirSync(store.gitDir).filter(name => name.startsWith('index-'))).toEqual([]);
});

test('a filter that is not set up lets nothing in', async () => {
	const {clean} = await filtered({'new.bin': 'new\n'}, {'filter.other.clean': 'cat'});
	await expect(clean()).rejects.toMatchObject({
		kind: 'refused',
		message: 'new.bin is under the filter up, which your git config does not define.',
		hint: expect.stringContaining('git config filter.up.clean cat'),
	});
});

test('a filter that only writes into checkouts takes content in as it is', async () => {
	const {clean, tree} = await filtered({'new.bin': 'new\n'}, {'filter.up.smudge': 'cat'});
	expect(await clean()).toMatchObject({tree});
});

test('a filter that fails lets nothing in, be it required or not', async () => {
	const {clean, root} = await filtered({'new.bin': 'new\n'}, {'filter.up.clean': 'exit 7'});
	const refusal = {
		kind: 'refused',
		message: expect.stringContaining('Your filter up failed on new.bin: '),
	};
	await expect(clean()).rejects.toMatchObject(refusal);
	git(root, 'config', 'filter.up.required', 'true');
	await expect(clean()).rejects.toMatchObject(refusal);
});

test('attributes of an agent bring no file under a filter, and none out of one', async () => {
	const witness = join(temporaryFolder(), 'ran');
	const brought = await filtered(
		{'.gitattributes': '* filter=up\n', 'new.txt': 'new\n'},
		{'filter.up.clean': `touch ${witness}; cat`},
		{},
	);
	const refusal = {kind: 'refused', hint: expect.stringContaining('.gitattributes')};
	await expect(brought.clean()).rejects.toMatchObject(refusal);
	expect(existsSync(witness)).toBe(false);
	const freed = await filtered({'.gitattributes': '\n', 'new.bin': 'new\n'}, capitals);
	await expect(freed.clean()).rejects.toMatchObject(refusal);
});

test('attributes that bring nothing under another filter come in with the rest', async () => {
	const {clean, show} = await filtered(
		{'.gitattributes': '*.bin filter=up\n*.txt text\n', 'new.bin': 'new\n'},
		capitals,
	);
	const {tree, filtered: taken} = await clean();
	expect([...taken]).toEqual([['new.bin', 'up']]);
	expect(show(tree, 'new.bin')).toBe('NEW');
});
