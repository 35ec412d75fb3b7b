import type {Page} from '../../control/page.ts';
import type {Subject} from '../../control/subject.ts';
import {treesOf} from '../../git/tree/graft.ts';
import {patch} from '../../git/tree/patch.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {lastResult} from '../../state/merge/publication.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {showHunks} from '../by-hand/show-hunks.ts';
import {showTrail} from '../by-hand/show-trail.ts';
import {showWork} from '../picking/show-work.ts';
import {requireAgent, requireSnapshot} from '../require-agent.ts';
import {requireSession} from '../require-session.ts';
import {heldTree, treeAfter} from '../worktree/held-tree.ts';
import {revertedChanges} from '../worktree/revert/reverted.ts';
import type {Works} from '../world.ts';
import {conflictOf} from './conflict-of.ts';
import type {Preview} from './preview.ts';
import {showOutcome} from './show-outcome.ts';
import {showSide} from './show-side.ts';
import {patchSurfaceFirst} from './surface-first.ts';

/** What to show, and which of its lines. */
export type ShowParts = {readonly what: Subject; readonly offset: number; readonly limit: number};

/** What was asked for, whole, and what has to be known to read it right. */
export type Shown = {
	readonly text: string;
	readonly remark?: string;
	readonly preview?: Preview;
};

/** Longest line that is shown, in characters. */
const maximumLine = 2000;

/** Returns the lines of what is asked for, mostly a diff. */
export const show = async (
	works: Works,
	state: State,
	{what, offset, limit}: ShowParts,
): Promise<Page> => {
	const {text, remark, preview} = await shownOf(works, state, what);
	const lines = text.split('\n');
	const asked = lines.slice(offset, offset + limit);
	const page = asked.slice(0, fitting(asked.map(shownLine)));
	const end = offset + page.length;
	return {
		lines: page.map(shownLine),
		cut: page.filter(line => line.length > maximumLine).length,
		total: lines.length,
		next: end < lines.length ? end : null,
		...defined({remark, preview}),
	};
};

const shownLine = (line: string): string =>
	line.length <= maximumLine
		? line
		: `${line.slice(0, maximumLine)} … and ${line.length - maximumLine} more characters, not shown here`;

/** Returns how many of the lines fit into one answer, at least one. */
const fitting = (lines: readonly string[]): number => {
	let length = 0;
	const over = lines.findIndex(line => {
		length += line.length;
		return length > maximumPage;
	});
	return over === -1 ? lines.length : Math.max(1, over);
};

/** In characters; each takes six bytes at most, and a frame of the socket a mebibyte. */
const maximumPage = 150_000;

const shownOf = async (works: Works, state: State, what: Subject): Promise<Shown> => {
	switch (what.of) {
		case 'work':
		case 'result': {
			const [from, to] = what.of === 'work' ? workOf(state, what.agent) : resultOf(state);
			return {text: await patchSurfaceFirst(works.store, from, to, requireSession(state).plan)};
		}

		case 'parts':
			return showWork(works, state, what.agent);
		case 'since':
			return workSince(works, state, what);
		case 'restore':
			return {text: await whatRestoreChanges(works, state, what)};
		case 'reverted':
			return {text: await whatWasReverted(works, state, what.agent)};
		case 'side':
			return showSide(works, state, conflictOf(state, what.item), what.side);
		case 'outcome':
			return showOutcome(works, state, {
				item: conflictOf(state, what.item),
				choice: what.choice,
			});
		case 'hunks':
			return showHunks(works, conflictOf(state, what.item));
		case 'trail':
			return showTrail(works, state, {item: conflictOf(state, what.item), hunk: what.hunk});
	}
};

type SnapshotOf = {readonly agent: string; readonly snapshot: number};

/** Of what is written into a worktree after its last snapshot nothing is known yet. */
const whatRestoreChanges = async (
	works: Works,
	state: State,
	{agent: id, snapshot: number}: SnapshotOf,
): Promise<string> => {
	const agent = requireAgent(state, id);
	const goal = requireSnapshot(agent, number);
	return patch(works.store, await heldTree(works, agent), await treeAfter(works, goal));
};

/** Work of others that came under the agent meanwhile is no change of its own, and can't be told apart from it here. */
const workSince = async (
	works: Works,
	state: State,
	{agent: id, snapshot: number}: SnapshotOf,
): Promise<Shown> => {
	const agent = requireAgent(state, id);
	const from = requireSnapshot(agent, number);
	const to = agent.snapshots.at(-1) ?? from;
	const text = await patchSurfaceFirst(works.store, from.work, to.work, requireSession(state).plan);
	return from.startingPoint.base === to.startingPoint.base
		? {text}
		: {text, remark: 'It stands on other work since then; that is in here, too.'};
};

const whatWasReverted = async ({store}: Works, state: State, id: string): Promise<string> => {
	const agent = requireAgent(state, id);
	const {before, after} = await treesOf(store, await revertedChanges(store, agent));
	return patch(store, before, after);
};

const resultOf = (state: State): readonly [string, string] => {
	const result = lastResult(state);
	if (result === undefined) {
		throw new Failure('refused', 'There is no result to show yet.');
	}

	return [result.built.tip, result.built.commit];
};

const workOf = (state: State, id: string): readonly [string, string] => {
	const snapshot = agentOf(state, id)?.snapshots.at(-1);
	if (snapshot === undefined) {
		throw new Failure('refused', `There is no work of ${id} to show yet.`);
	}

	return [snapshot.startingPoint.base, snapshot.work];
};
