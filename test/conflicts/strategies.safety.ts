import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Combination, combine} from '../../src/conflicts/combine.ts';
import type {Input, PathResolution} from '../../src/conflicts/input.ts';
import {commitTree, type Store} from '../../src/git/store/store.ts';
import {writeBlob} from '../../src/git/tree/blobs.ts';
import {graft} from '../../src/git/tree/graft.ts';
import {entriesOf} from '../../src/git/tree/listing.ts';
import {pathsElsewhere} from '../../src/state/items/conflict/breakage.ts';
import {type CommitsOf, layConflictCases, readConflictCases} from '../helpers/conflict-cases.ts';
import {git, removeAll} from '../helpers/repository.ts';

/** Every kind of conflict that git tells, each with what stands in `fixtures/repos/file`. */
const cases = readConflictCases().filter(
	({name, finds}) => name.startsWith('file/') && finds.some(({rule}) => rule === 'F1'),
);

const at = '2026-11-21T20:00:00Z';
const root = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-strategies-')));
const store = {gitDir: join(root, 'cases.git')} as Store;
let commits: CommitsOf;
beforeAll(() => {
	execFileSync('git', ['init', '--quiet', '--bare', store.gitDir]);
	commits = layConflictCases(store.gitDir, cases);
});
afterAll(() => removeAll(root));

type Conflicts = Extract<Combination, {kind: 'conflicts'}>['conflicts'];

/** Puts two works together and settles what collides, round by round, as a person would. */
const settle = async (
	{base, inputs}: {readonly base: string; readonly inputs: readonly Input[]},
	choose: (conflict: Conflicts[number]) => Promise<PathResolution>,
) => {
	const resolutions: PathResolution[] = [];
	for (let round = 0; round < 6; round++) {
		const put = await combine(store, {tip: base, base, inputs, resolutions, at});
		if (put.kind === 'clean') {
			return {tree: put.tree, resolutions};
		}

		resolutions.push(...(await Promise.all(put.conflicts.map(choose))));
	}

	throw new Error('It still collides after six rounds.');
};

/** Where a file of one side stands in the way of what the other one has there, git makes up a name for it. */
const isNameless = ({finds}: (typeof cases)[number]): boolean =>
	finds.some(({path}) => path.includes('~'));

const sessionOf = (one: (typeof cases)[number]) => {
	const {a, b} = commits(one);
	const base = git(store.gitDir, 'merge-base', a, b);
	const inputs = [
		{owners: ['AGT-001'], base, commit: a},
		{owners: ['AGT-002'], base, commit: b},
	];
	return {a, b, base, inputs};
};

const treeOf = (commit: string): string => git(store.gitDir, 'rev-parse', `${commit}^{tree}`);

/** What stands at a path, by mode and content. */
const heldAt = async (tree: string, path: string) => {
	const {mode, oid} = (await entriesOf(store, tree)).get(path) ?? {};
	return [mode, oid];
};

test('there is a case of each kind', () => {
	const kinds = cases.flatMap(({finds}) => finds.flatMap(({kind}) => kind ?? []));
	expect([...new Set(kinds)]).toEqual(
		expect.arrayContaining([
			...['content', 'add/add', 'modify/delete', 'rename/rename', 'rename/delete'],
			...['file/directory', 'mode', 'symlink', 'submodule', 'binary'],
		]),
	);
});

describe.each(cases)('$name', one => {
	test.each(['AGT-001', 'AGT-002'])(
		'is settled by the side of %s, which is there then',
		async winner => {
			const session = sessionOf(one);
			const {tree, resolutions} = await settle(session, async conflict => {
				const {path, a, b} = conflict;
				const isFirst = a.includes(winner);
				const elsewhere = pathsElsewhere(conflict, isFirst ? 'b' : 'a');
				return {
					...{path, a, b, choice: 'choose-one', winner: isFirst ? a : b},
					...(elsewhere.length === 0 ? {} : {gives: [path, ...elsewhere]}),
				};
			});
			const side = winner === 'AGT-001' ? session.a : session.b;
			expect(resolutions).not.toEqual([]);
			for (const {path} of resolutions) {
				expect([path, await heldAt(tree, path)]).toEqual([path, await heldAt(side, path)]);
			}
		},
	);

	test.skipIf(isNameless(one))('is settled by hand, to the byte', async () => {
		const session = sessionOf(one);
		const entry = {mode: '100644', oid: await writeBlob(store, Buffer.from('by hand\r\n\0'))};
		const {tree, resolutions} = await settle(session, async ({path, a, b}) => ({
			...{path, a, b, choice: 'manual'},
			files: [{path, entry}],
		}));
		for (const {path} of resolutions) {
			expect(await heldAt(tree, path)).toEqual([entry.mode, entry.oid]);
		}
	});

	test.runIf(isNameless(one))('is settled by hand with another name for the file', async () => {
		const session = sessionOf(one);
		const entry = {mode: '100644', oid: await writeBlob(store, Buffer.from('by hand'))};
		const {tree, resolutions} = await settle(session, async ({path, a, b}) => {
			const [place = ''] = path.split('~');
			const moved = {path: `moved-${place}`, entry};
			const kept = [...(await entriesOf(store, treeOf(session.b)))]
				.filter(([name]) => name === place || name.startsWith(`${place}/`))
				.map(([name, held]) => ({path: name, entry: held}));
			const gone = kept.some(file => file.path === place) ? [] : [{path: place, entry: null}];
			return {...{path, a, b, choice: 'manual'}, files: [...gone, moved, ...kept]};
		});
		const [first] = resolutions;
		expect(first?.choice).toBe('manual');
		for (const file of first?.choice === 'manual' ? first.files : []) {
			expect(await heldAt(tree, file.path)).toEqual([file.entry?.mode, file.entry?.oid]);
		}
	});

	test('is gone where one works again on top of the other, in either order', async () => {
		const {a, b, base, inputs} = sessionOf(one);
		for (const [first, second, again] of [
			[a, b, inputs[1]],
			[b, a, inputs[0]],
		] as const) {
			const changes = [...(await entriesOf(store, treeOf(second)))].map(([path, entry]) => ({
				...{status: 'A' as const, path},
				new: entry,
			}));
			const tree = await graft(store, {onto: base, changes});
			const commit = await commitTree(store, {tree, parents: [first], message: 'again', at});
			const earlier = inputs.find(input => input !== again);
			const later = {owners: again?.owners ?? [], base: first, commit};
			const put = await combine(store, {
				...{tip: base, base, resolutions: [], at},
				inputs: [...(earlier === undefined ? [] : [earlier]), later],
			});
			expect([put.kind, put.tree]).toEqual(['clean', tree]);
		}
	});

	test('is gone where one of them is left out, and nothing of that is there', async () => {
		const {a, b, base, inputs} = sessionOf(one);
		for (const [commit, input] of [
			[a, inputs[0]],
			[b, inputs[1]],
		] as const) {
			const put = await combine(store, {
				...{tip: base, base, resolutions: [], at},
				inputs: input === undefined ? [] : [input],
			});
			expect([put.kind, put.tree]).toEqual(['clean', treeOf(commit)]);
		}
	});
});
