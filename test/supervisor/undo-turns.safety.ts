import {expect, test} from 'vitest';
import {carryOut, undo} from '../../src/supervisor/undo/undo.ts';
import {git} from '../helpers/repository.ts';
import {makeUndoable} from './undoable.ts';

/** A merge that can be undone, while something else is at work on the target until `done` is called. */
const makeBusy = async () => {
	const world = await makeUndoable();
	const {promise, resolve} = Promise.withResolvers<void>();
	void world.ground.serially('target', () => promise);
	return {...world, done: resolve, tip: () => git(world.root, 'rev-parse', 'main')};
};

test('an undo is judged when its turn at the target has come', async () => {
	const {ground, given, from, merge, done, tip} = await makeBusy();
	const undone = undo(ground, {turn: 'undo', merge});
	given.tell({kind: 'merge.intended', commit: from, from: merge, undoes: merge});
	done();
	await expect(undone).rejects.toThrow('main is being moved.');
	expect(tip()).toBe(merge);
});

test('an undo that was cut off is finished in its turn, unless it is over by then', async () => {
	const {ground, given, from, merge, done, tip} = await makeBusy();
	const intent = {kind: 'merge.intended', commit: from, from: merge, undoes: merge} as const;
	given.tell(intent);
	const finished = carryOut(ground);
	const why = {cause: 'other', message: 'no', hint: 'look'};
	given.tell({kind: 'merge.refused', commit: from, ...why});
	done();
	await finished;
	expect(tip()).toBe(merge);
	given.tell(intent);
	await carryOut(ground);
	expect(tip()).toBe(from);
});
