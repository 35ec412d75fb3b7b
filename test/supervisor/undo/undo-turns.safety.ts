import {expect, test} from 'vitest';
import {undoOf} from '../../../src/state/merge/publication.ts';
import {carryOut, undo} from '../../../src/supervisor/undo/undo.ts';
import type {UndoContext} from '../../../src/supervisor/undo/undo-offer.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {git} from '../../helpers/repository.ts';
import {makeUndoable} from './undoable.ts';

const instead = installInsteadOfGit();

/** A merge that can be undone, while something else is at work on the target until `done` is called. */
const makeBusy = async () => {
	const world = await makeUndoable();
	const {promise, resolve} = Promise.withResolvers<void>();
	void world.context.serially('target', () => promise);
	return {...world, done: resolve, tip: () => git(world.root, 'rev-parse', 'main')};
};

test('an undo is judged when its turn at the target has come', async () => {
	const {context, given, from, merge, done, tip} = await makeBusy();
	const undone = undo(context, {turn: 'undo', merge});
	given.tell({kind: 'merge.intended', commit: from, from: merge, undoes: merge});
	done();
	await expect(undone).rejects.toThrow('main is being moved.');
	expect(tip()).toBe(merge);
});

test('an undo that was cut off is finished in its turn, unless it is over by then', async () => {
	const {context, given, from, merge, done, tip} = await makeBusy();
	const intent = {kind: 'merge.intended', commit: from, from: merge, undoes: merge} as const;
	given.tell(intent);
	const finished = carryOut(context);
	const why = {cause: 'other', message: 'no', hint: 'look'} as const;
	given.tell({kind: 'merge.refused', commit: from, ...why});
	done();
	await finished;
	expect(tip()).toBe(merge);
	given.tell(intent);
	await carryOut(context);
	expect(tip()).toBe(from);
});

test('nobody waits for the target where no undo was cut off', async () => {
	const {context, done} = await makeBusy();
	const order: string[] = [];
	void context.serially('target', async () => order.push('the target is free'));
	await carryOut(context).then(() => order.push('looked'));
	done();
	await context.serially('target', async () => {});
	expect(order).toEqual(['looked', 'the target is free']);
});

/** A merge about to be undone, where something happens right after that is intended. */
const makeStruck = async (strike: (root: string) => unknown) => {
	const world = await makeUndoable();
	const append: UndoContext['append'] = async bodies => {
		await world.context.append(bodies);
		if (bodies.some(({kind}) => kind === 'merge.intended')) {
			strike(world.root);
		}
	};
	return {...world, struck: {...world.context, append}};
};

test('an undo whose git is killed before anything has moved is looked at again, and done', async () => {
	const {root, from, given, struck, turn} = await makeStruck(() => instead('status', 'kill -9 $$'));
	await turn(struck);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(given.state().publications).toMatchObject([{phase: 'undone'}]);
	expect(undoOf(given.state())).toBeUndefined();
});

test('an undo that git fails over again and again counts as cut off, and can be tried again', async () => {
	const setting = 'status.displayCommentPrefix';
	const {root, from, given, struck, context, turn} = await makeStruck(broken =>
		git(broken, 'config', setting, 'perhaps'),
	);
	await expect(turn(struck)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringMatching(/^The move of main was cut off: git status failed: .*perhaps/),
	});
	expect(undoOf(given.state())).toBeUndefined();
	expect(given.state().interrupted).toMatchObject([{to: from}]);
	git(root, 'config', '--unset', setting);
	await turn(context);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
});
