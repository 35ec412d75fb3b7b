import {expect, test} from 'vitest';
import {lostEdits, reasonOfVisit} from '../../../src/supervisor/worktree/lost-edits.ts';
import {makeStore} from '../../git/world.ts';
import {git, write} from '../../helpers/repository.ts';

const held = '2026-01-01T00:00:01Z';
const enter = reasonOfVisit({held, snapshots: []});
const leave = reasonOfVisit({held, snapshots: [{reason: enter, at: held}]});

/** Snapshots of what a repository holds, one after the other, and the last of them as it is now. */
const seen = async (...steps: readonly (readonly [reason: string, Record<string, string>])[]) => {
	const {store, repository} = await makeStore({'src/a.ts': 'one\n', 'src/b.ts': 'one\n'});
	const {root} = repository;
	const snapshots = steps.map(([reason, files]) => {
		write(root, files);
		git(root, 'add', '--all');
		return {reason, tree: git(root, 'write-tree')};
	});
	return lostEdits(store, snapshots.slice(0, -1), snapshots.at(-1)?.tree ?? '');
};

test('lines that a person added and an agent wrote over are told of, once', async () => {
	const notes = await seen(
		['exit:1', {'src/a.ts': 'one\ntwo\n'}],
		[enter, {}],
		[leave, {'src/a.ts': 'one\ntwo\nmine\n\nand mine\n', 'src/new.ts': 'mine\n'}],
		['exit:2', {'src/a.ts': 'one\ntwo\nthree\n'}],
		['exit:3', {'src/a.ts': 'one\ntwo\nthree\nfour\n', 'src/new.ts': 'mine\nand more\n'}],
	);
	expect(notes).toEqual(['It overwrote 2 lines that you added to src/a.ts.']);
});

test.each([
	['what an agent edited and left a line of', {'src/a.ts': 'mine\nother\n'}],
	['another file', {'src/a.ts': 'mine\nand mine\n', 'src/b.ts': 'two\n'}],
])('%s is not', async (_, files) => {
	const mine = {'src/a.ts': 'mine\nand mine\n'};
	expect(await seen([enter, {}], [leave, mine], ['exit:2', files])).toEqual([]);
});

test('what the agent itself wrote before a person came is nobody’s edit', async () => {
	const notes = await seen(
		[enter, {}],
		['exit:1', {'src/a.ts': 'its own\n'}],
		[enter, {}],
		[leave, {}],
		['exit:2', {'src/a.ts': 'again\n'}],
	);
	expect(notes).toEqual([]);
});

test('what the agent wrote between two visits is nobody’s edit', async () => {
	const entersAgain = reasonOfVisit({
		held: '2026-01-01T00:00:02Z',
		snapshots: [{reason: leave, at: held}],
	});
	const notes = await seen(
		[enter, {}],
		[leave, {}],
		[entersAgain, {'src/a.ts': 'its own\n'}],
		[leave, {}],
		['exit:1', {'src/a.ts': 'again\n'}],
	);
	expect(notes).toEqual([]);
});

test('a second visitor, or a look, does not end a visit', async () => {
	const notes = await seen(
		[enter, {}],
		[leave, {}],
		[leave, {'src/a.ts': 'mine\n'}],
		['exit:1', {'src/a.ts': 'again\n'}],
	);
	expect(notes).toEqual(['It overwrote 1 line that you added to src/a.ts.']);
});

test('a journal that does not tell entering from leaving tells of no edit', async () => {
	expect(
		await seen(
			['a visit', {}],
			['a visit', {'src/a.ts': 'whose\n'}],
			['exit:1', {'src/a.ts': '\n'}],
		),
	).toEqual([]);
});
