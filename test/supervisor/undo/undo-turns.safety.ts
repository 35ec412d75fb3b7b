import {expect, test} from 'vitest';
import {carryOut, undo} from '../../../src/supervisor/undo/undo.ts';
import type {UndoGround} from '../../../src/supervisor/undo/undo-offer.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {git} from '../../helpers/repository.ts';
import {makeUndoable} from './undoable.ts';

const instead = installInsteadOfGit();

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

test('nobody waits for the target where no undo was cut off', async () => {
	const {ground, done} = await makeBusy();
	const order: string[] = [];
	void ground.serially('target', async () => order.push('the target is free'));
	await carryOut(ground).then(() => order.push('looked'));
	done();
	await ground.serially('target', async () => {});
	expect(order).toEqual(['looked', 'the target is free']);
});

/** A merge about to be undone, where something happens right after that is intended. */
const makeStruck = async (strike: (root: string) => unknown) => {
	const world = await makeUndoable();
	const tell: UndoGround['tell'] = async bodies => {
		await world.ground.tell(bodies);
		if (bodies.some(({kind}) => kind === 'merge.intended')) {
			strike(world.root);
		}
	};
	return {...world, struck: {...world.ground, tell}};
};

test.for<[string, string, (from: string, merge: string, root: string) => string]>([
	['before anything has moved', 'status', () => ''],
	[
		'when only the branch is left to move',
		'worktree list',
		(from, merge, root) => `cd '${root}'; $real read-tree -m -u ${merge} ${from}; `,
	],
])('an undo whose git is killed %s is looked at again, and done', async ([, words, lines]) => {
	const {root, from, merge, given, struck, turn} = await makeStruck(() =>
		instead(words, `${lines(from, merge, root)}kill -9 $$`),
	);
	await turn(struck);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(given.state().publication).toMatchObject({phase: 'undone'});
	expect(given.state().publication).not.toHaveProperty('intent');
});

test('an undo that git fails over again and again counts as cut off, and can be tried again', async () => {
	const setting = 'status.displayCommentPrefix';
	const {root, from, given, struck, ground, turn} = await makeStruck(broken =>
		git(broken, 'config', setting, 'perhaps'),
	);
	await expect(turn(struck)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringMatching(/^The move of main was cut off: git status failed: .*perhaps/),
	});
	expect(given.state().publication).not.toHaveProperty('intent');
	expect(given.state().interrupted).toMatchObject([{to: from}]);
	git(root, 'config', '--unset', setting);
	await turn(ground);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
});
