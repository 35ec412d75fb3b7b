import {expect, test} from 'vitest';
import {findUndo} from '../../src/supervisor/undo/undo-offer.ts';
import {git, write} from '../helpers/repository.ts';
import {makeUndoable, subject} from './undoable.ts';

type World = Awaited<ReturnType<typeof makeUndoable>>;

const commit = async ({root}: World): Promise<void> => {
	write(root, {'mine.txt': `${git(root, 'rev-parse', 'main')}\n`});
	git(root, 'add', 'mine.txt');
	git(root, 'commit', '--quiet', '--message', 'mine');
};

const tag = async ({root}: World): Promise<void> => {
	git(root, 'tag', 'v1');
};

const turn = ({turn: turnRound, ground}: World): Promise<unknown> => turnRound(ground);

const lasts = async (world: World): Promise<void> => {
	const state = world.ground.state();
	const {session} = state;
	const {ended: _, ...lasting} = session ?? {};
	Object.assign(world.ground, {state: () => ({...state, session: lasting})});
};

test.for([
	['nothing', [], 'undo', 'move', 'Nobody has built on it'],
	['a commit', [commit], 'undo', 'commit', 'main has gone on since'],
	['a tag', [tag], 'undo', 'commit', 'Others stand on it (v1)'],
	['a session', [lasts], 'undo', 'commit', 'The session goes on, and its agents may stand on it'],
	['an undo', [turn], 'redo', 'move', 'Nobody has gone on from there'],
	['an undo and a commit', [turn, commit], 'redo', 'commit', 'main has gone on since'],
	['a redo', [turn, turn], 'undo', 'move', 'Nobody has built on it'],
	['a commit and an undo', [commit, turn], 'redo', 'move', 'Nobody has gone on from there'],
	['a commit, an undo and a tag', [commit, turn, tag], 'redo', 'commit', 'Others stand on it (v1)'],
	[
		'a commit, an undo and a redo',
		[commit, turn, turn],
		'undo',
		'move',
		'The commit that took it back is still there',
	],
] as const)('after %s it is told why so', async ([, deeds, direction, how, because]) => {
	const world = await makeUndoable();
	for (const deed of deeds) {
		await deed(world);
	}

	const {offer} = await findUndo(world.ground);
	expect(offer).toMatchObject({turn: direction, how, because, merge: world.merge, subject});
});

test('a merge whose commit is gone after a long time goes by its task', async () => {
	const world = await makeUndoable();
	await turn(world);
	await commit(world);
	await turn(world);
	const {landing, ...state} = world.ground.state();
	const gone = {...landing, commit: '1'.repeat(40)};
	const {offer} = await findUndo({...world.ground, state: () => ({...state, landing: gone})});
	expect(offer).toMatchObject({turn: 'undo', subject: state.session?.plan.task});
});
