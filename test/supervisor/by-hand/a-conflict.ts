import {join} from 'node:path';
import type {Body} from '../../../src/events/event.ts';
import {worktreePath} from '../../../src/git/store/worktree-path.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {readHunks, type ShownFile} from '../../../src/rules/by-hand/hunk-lines.ts';
import {apply} from '../../../src/state/apply/apply.ts';
import type {State} from '../../../src/state/state.ts';
import {openResolution, seeResolution} from '../../../src/supervisor/perform/resolution.ts';
import {answerByHand, type ByHand} from '../../../src/supervisor/requests/answer-request.ts';
import {show} from '../../../src/supervisor/show/show.ts';
import {conflictOf} from '../../../src/supervisor/show/show-side.ts';
import {evidenceAt} from '../../helpers/merging.ts';
import {makeSupervised} from '../world.ts';

/** What each side of a conflict holds, a character a byte; null where it holds nothing. */
export type Sides = Readonly<Record<'base' | 'left' | 'right', string | null>>;

export const path = 'src/shared.txt';

/** A conflict whose folder is there, and what a person does to it through the supervisor. */
export const makeConflict = async (sides: Sides, mode = '100644') => {
	const {world, state: before} = await makeSupervised({'readme.md': 'hello\n'});
	const entry = async (text: string | null) =>
		text === null ? null : {mode, oid: await writeBlob(world.store, Buffer.from(text, 'latin1'))};
	const found = believed(before, [
		{
			kind: 'conflict.found',
			path,
			a: ['AGT-001'],
			b: ['AGT-002'],
			type: 'FILE_CONFLICT',
			summary: 'both changed it',
			stages: {
				base: await entry(sides.base),
				a: await entry(sides.left),
				b: await entry(sides.right),
			},
			evidence: evidenceAt(path),
		},
		{kind: 'merge.blocked', conflicts: ['c-1']},
		{kind: 'user.decided', item: 'c-1', choice: 'manual', by: 'user'},
	]);
	const state = believed(found, await openResolution(world, found, 'c-1'));
	const folder = world.folder.resolution('c-1');
	return {
		world,
		state,
		folder,
		file: join(worktreePath(folder, 'files'), path),
		look: async (): Promise<ShownFile> =>
			readHunks(
				(await show(world, state, {what: {of: 'hunks', item: 'c-1'}, offset: 0, limit: 1000}))
					.lines,
			),
		tell: (request: Omit<ByHand, 'item'>) => answerByHand(world, state, {item: 'c-1', ...request}),
		/** What `done` would take. */
		taken: () => seeResolution(world, state, conflictOf(state, 'c-1')),
	};
};

const believed = (state: State, bodies: readonly Body[]): State =>
	bodies.reduce((known, body) => apply(known, {...body, seq: known.seq + 1, at: known.at}), state);
