import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findReversal} from '../../../src/git/target/reversal.ts';
import {belongings, commitAll, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeMerged} from './undo-world.ts';

test('a merge on which nobody has built is taken back by moving the branch', async () => {
	const {root, from, to, reversal} = await makeMerged();
	write(root, {'a.txt': 'an edit\n'});
	git(root, 'stash', 'push', '--quiet');
	git(root, 'update-ref', 'refs/delegate/DEL-2/base', to);
	git(root, 'branch', 'earlier', from);
	const before = belongings(root);
	expect(await reversal()).toEqual({kind: 'move', way: 'back', from: to, to: from, files: 3});
	expect(belongings(root)).toEqual(before);
});

test('a merge on which another branch, a tag, a remote or a checkout stands is taken back by a commit', async () => {
	const {root, from, to, reversal} = await makeMerged();
	git(root, 'branch', 'other', to);
	git(root, 'tag', 'v1', to);
	git(root, 'update-ref', 'refs/remotes/origin/main', to);
	const detached = join(temporaryFolder(), 'tree');
	git(root, 'worktree', 'add', '--quiet', '--detach', detached, to);
	const tree = git(root, 'rev-parse', `${from}^{tree}`);
	const refs = ['refs/heads/other', 'refs/remotes/origin/main', 'refs/tags/v1'];
	const builders = [...refs, detached];
	expect(await reversal()).toEqual({kind: 'commit', from: to, tree, files: 3, builders});
});

test('a merge on which the branch has gone on is taken back by a commit that leaves what came later', async () => {
	const {root, store, lines, reversal} = await makeMerged();
	write(root, {'b.txt': 'later\n', 'a.txt': `${lines('merged')}later\n`});
	const tip = commitAll(root, 'later');
	const found = await reversal();
	expect(found).toMatchObject({kind: 'commit', from: tip, files: 3});
	const tree = found.kind === 'commit' ? found.tree : '';
	const show = (path: string) => git(store.gitDir, 'cat-file', 'blob', `${tree}:${path}`);
	expect(show('a.txt')).toBe(`${lines('a')}later`);
	expect(show('b.txt')).toBe('later');
	expect(git(store.gitDir, 'ls-tree', '--name-only', tree)).toBe('a.txt\nb.txt\ngone.txt');
});

test('a merge whose places were changed later is told with the files', async () => {
	const {root, lines, reversal} = await makeMerged();
	write(root, {'a.txt': lines('changed later'), 'new.txt': 'changed, too\n', 'b.txt': 'other\n'});
	commitAll(root, 'later');
	expect(await reversal()).toEqual({kind: 'entangled', paths: ['a.txt', 'new.txt']});
});

test('a merge that is taken back already, or was rewritten away, can’t be taken back', async () => {
	const {root, to, reversal} = await makeMerged();
	git(root, 'revert', '--no-edit', to);
	expect(await reversal()).toEqual({kind: 'nothing'});

	git(root, 'reset', '--quiet', '--hard', to);
	git(root, 'commit', '--quiet', '--amend', '--message', 'rewritten');
	expect(await reversal()).toEqual({kind: 'gone'});

	git(root, 'checkout', '--quiet', '--detach', to);
	git(root, 'branch', '--quiet', '-D', 'main');
	expect(await reversal()).toEqual({kind: 'gone'});
});

test('what was taken back is brought back, also on top of what came later', async () => {
	const {root, repository, store, from, to, undo} = await makeMerged();
	expect(await undo()).toEqual({moved: true});
	const redo = () => findReversal(repository, store, {target: 'main', from: to, to: from});
	expect(await redo()).toEqual({kind: 'move', way: 'forward', from, to, files: 3});
	write(root, {'b.txt': 'later\n'});
	const tip = commitAll(root, 'later');
	expect(await redo()).toMatchObject({kind: 'commit', from: tip, files: 3});
});

test('a merge of which the commit before is nowhere any more can’t be taken back', async () => {
	const {repository, store, to} = await makeMerged();
	const from = '1'.repeat(40);
	expect(await findReversal(repository, store, {target: 'main', from, to})).toEqual({kind: 'lost'});
});
