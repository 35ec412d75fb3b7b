import {expect, test} from 'vitest';
import {findUndo} from '../../../src/supervisor/undo/undo-offer.ts';
import {git, write} from '../../helpers/repository.ts';
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

const turn = ({turn: turnRound, context}: World): Promise<unknown> => turnRound(context);

const lasts = async (world: World): Promise<void> => {
	const state = world.context.state();
	const {session} = state;
	const {ended: _, ...lasting} = session ?? {};
	Object.assign(world.context, {state: () => ({...state, session: lasting})});
};

test.for([
	['nothing', [], 'undo', 'move', 'No commit builds on it'],
	['a commit', [commit], 'undo', 'commit', 'main has new commits since'],
	['a tag', [tag], 'undo', 'commit', 'Others contain it (v1)'],
	['a session', [lasts], 'undo', 'commit', 'The session goes on, and its agents may build on it'],
	['an undo', [turn], 'redo', 'move', 'No commit has followed'],
	['an undo and a commit', [turn, commit], 'redo', 'commit', 'main has new commits since'],
	['a redo', [turn, turn], 'undo', 'move', 'No commit builds on it'],
	['a commit and an undo', [commit, turn], 'redo', 'move', 'No commit has followed'],
	['a commit, an undo and a tag', [commit, turn, tag], 'redo', 'commit', 'Others contain it (v1)'],
	[
		'a commit, an undo and a redo',
		[commit, turn, turn],
		'undo',
		'move',
		'The commit that took it back is still there',
	],
] as const)('after %s it is told why so', async ([, actions, direction, how, because]) => {
	const world = await makeUndoable();
	for (const action of actions) {
		await action(world);
	}

	const {offer} = await findUndo(world.context);
	expect(offer).toMatchObject({turn: direction, how, because, merge: world.merge, subject});
});

test('a merge whose commit is gone after a long time goes by its task', async () => {
	const world = await makeUndoable();
	await turn(world);
	await commit(world);
	await turn(world);
	const {publications, session, ...state} = world.context.state();
	const gone = publications.map(({built, ...one}) => ({
		...one,
		built: {...built, commit: '1'.repeat(40)},
	}));
	const plan = {...session?.plan, task: 'Limit the rates\n\nOf the public API only.\n'};
	Object.assign(world.context, {
		state: () => ({...state, session: {...session, plan}, publications: gone}),
	});
	const {offer} = await findUndo(world.context);
	expect(offer).toMatchObject({turn: 'undo', subject: 'Limit the rates'});
});

const leave = async ({root, from}: World): Promise<void> => {
	git(root, 'reset', '--quiet', '--hard', from);
};

/** Nothing in the repository or beside it holds the merge any more. */
const forget = async ({root, context}: World): Promise<void> => {
	git(root, 'reflog', 'expire', '--expire=now', '--all');
	for (const folder of [root, context.store.gitDir]) {
		git(folder, 'gc', '--quiet', '--prune=now');
	}
};

test.for([
	['the branch was moved away from it', [leave], 'main no longer holds the merge (MERGE)'],
	[
		'the branch was moved away after it had been brought back by a commit',
		[turn, commit, turn, leave],
		'main was moved or rewritten since the merge (MERGE) was brought back.',
	],
	[
		'it was taken back and nobody kept it',
		[turn, forget],
		'The merge (MERGE) was taken back and no longer exists.',
	],
] as const)('a merge can’t be turned round when %s, which is told', async ([, actions, words]) => {
	const world = await makeUndoable();
	for (const action of actions) {
		await action(world);
	}

	await expect(findUndo(world.context)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining(words.replace('MERGE', world.merge.slice(0, 10))),
	});
});
