import {expect, test} from 'vitest';
import type {Snapshot} from '../../../src/state/agent/agent.ts';
import {firstSnapshotWith} from '../../../src/supervisor/by-hand/show-hunks.ts';
import {commitAll, write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

const path = 'src/caf\u00e9 one.txt';

test('lines are told by the first snapshot that holds them together, and lost ones by the first without', async () => {
	const {world} = await makeSupervised({[path]: 'one\ntwo\nthree\n'});
	const {root} = world.repository;
	const snapshots = ['one\nTWO\nthree\n', 'one\nTWO\n2 1/2\nthree\n', 'one\nTWO\n2 1/2\n'].map(
		(text, index): Snapshot => {
			write(root, {[path]: text});
			return {...someSnapshot, number: index + 1, work: commitAll(root)};
		},
	);
	const first = async (text: string, before: string) =>
		(await firstSnapshotWith(world, snapshots, path, {text, before}))?.number;
	expect(await first('TWO\n', 'two\n')).toBe(1);
	expect(await first('TWO\n2 1/2\n', 'two\n')).toBe(2);
	expect(await first('', 'three\n')).toBe(3);
	expect(await first('WO\n', 'two\n')).toBeUndefined();
	expect(await firstSnapshotWith(world, [], path, {text: 'x', before: ''})).toBeUndefined();
});

const someSnapshot = {
	startingPoint: {base: '', baseline: '', onto: [], conflicts: []},
	reason: 'exit:1',
	at: '2026-01-01T00:00:00.000Z',
	commit: '',
	tree: '',
	files: 1,
	outside: [],
	claims: [],
};
