import {expect, test} from 'vitest';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {changes} from '../../../src/git/tree/changes.ts';
import {graft} from '../../../src/git/tree/graft.ts';
import {fitResult} from '../../../src/supervisor/merging/fit-result.ts';
import {git} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

type Added = Readonly<Record<string, {readonly mode: '100644' | '120000'; readonly text: string}>>;

const file = (text: string) => ({mode: '100644', text}) as const;
const link = (text: string) => ({mode: '120000', text}) as const;

/** Fits results on one tip, each of which adds some entries. */
const makeFit = async () => {
	const {world, state} = await makeSupervised({
		'src/a/b/file': 'file\n',
		'.gitattributes': '*.bin filter=up\n',
	});
	const tip = state.session?.tip ?? '';
	const {store} = world;
	const fitted = async (added: Added, onto = tip) => {
		const entries = await Promise.all(
			Object.entries(added).map(async ([path, {mode, text}]) => ({
				status: 'A' as const,
				path,
				new: {mode, oid: await writeBlob(store, Buffer.from(text))},
			})),
		);
		const tree = await graft(store, {onto, changes: entries});
		return fitResult(world, {tip: onto, tree, changes: await changes(store, onto, tree)});
	};

	return {fitted, root: world.repository.root, store};
};

test('links of two agents that lead out together are not merged; those that stay are', async () => {
	const {fitted} = await makeFit();
	const [up, out] = [link('../../..'), link('up/../secret.txt')];
	await expect(fitted({'src/a/b/up': up, 'src/a/b/out': out})).rejects.toMatchObject({
		kind: 'refused',
		message: 'All work together would make src/a/b/out a link that leads out of the worktree.',
	});
	expect(await fitted({'src/a/b/up': up, 'src/a/near': link('b/file')})).toMatchObject({
		changes: [{path: 'src/a/b/up'}, {path: 'src/a/near'}],
	});
});

test('a link that leads out by what another one became names that one', async () => {
	const {fitted} = await makeFit();
	const {tree} = await fitted({'src/a/out': link('up/../x'), 'src/a/up': link('..')});
	await expect(fitted({'src/a/up': link('../..')}, tree)).rejects.toMatchObject({
		message:
			'All work together would make src/a/out a link that leads out of the worktree, by src/a/up.',
	});
});

test('names that differ by case are told, and refused where the checkout folds case', async () => {
	const {fitted, root} = await makeFit();
	const added = {'src/Foo.ts': file('1\n'), 'src/foo.ts': file('2\n')};
	expect(await fitted(added)).toMatchObject({
		notes: ['src/Foo.ts and src/foo.ts are one file where case makes no difference, as on macOS.'],
	});
	git(root, 'config', 'core.ignorecase', 'true');
	await expect(fitted(added)).rejects.toMatchObject({
		kind: 'refused',
		message:
			'src/Foo.ts and src/foo.ts are one file in your checkout, where case makes no difference.',
	});
	expect(await fitted({'src/bar.ts': file('3\n')})).toMatchObject({notes: []});
});

test('what the person’s filter makes of a file is what would be merged, and is told', async () => {
	const {fitted, root, store} = await makeFit();
	git(root, 'config', 'filter.up.clean', 'tr a-z A-Z');
	const {tree, changes, notes} = await fitted({'src/x.bin': file('new\n')});
	expect(notes).toEqual(['src/x.bin was added through your filter up.']);
	expect(git(store.gitDir, 'cat-file', 'blob', `${tree}:src/x.bin`)).toBe('NEW');
	expect(changes).toMatchObject([{path: 'src/x.bin'}]);
});
