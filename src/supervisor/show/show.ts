import type {Page} from '../../control/page.ts';
import {patch} from '../../git/tree/patch.ts';
import {Failure} from '../../lib/failure.ts';
import {splitChoice} from '../../state/choice.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {showHunks} from '../by-hand/show-hunks.ts';
import {showTrail} from '../by-hand/show-trail.ts';
import {requireSession} from '../require-session.ts';
import {heldTree, treeAfter} from '../worktree/held-tree.ts';
import type {Works} from '../world.ts';
import {conflictOf} from './conflict-of.ts';
import type {Preview} from './preview.ts';
import {showOutcome} from './show-outcome.ts';
import {showSide} from './show-side.ts';
import {patchSurfaceFirst} from './surface-first.ts';

/** What to show, and which of its lines. */
export type ShowParts = {readonly what: string; readonly offset: number; readonly limit: number};

/** What was asked for, whole, and what has to be known to read it right. */
export type Shown = {
	readonly text: string;
	readonly remark?: string;
	readonly preview?: Preview;
};

/** Longest line that is shown, in characters. */
const maximumLine = 2000;

/**
Returns the lines of a diff.

What is asked for is an agent's work (`AGT-001`), the result that waits for approval (`result`), one side of a conflict (`side:c-1:a`), the hunks of one that is resolved by hand (`hunks:c-1`), what led to one of them (`trail:c-1:0`), what a choice would make of its path (`outcome:c-1:choose-one:AGT-001`), what would change in a worktree that is set back (`restore:AGT-001:2`), or what an agent changed since a snapshot (`since:AGT-001:2`).
*/
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
		...(remark === undefined ? {} : {remark}),
		...(preview === undefined ? {} : {preview}),
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

const shownOf = async (works: Works, state: State, what: string): Promise<Shown> => {
	const {verb, argument} = splitChoice(what);
	const {verb: id, argument: wanted} = splitChoice(argument);
	switch (verb) {
		case 'side':
			return showSide(works, state, conflictOf(state, id), sideOf(wanted));
		case 'restore':
			return {text: await whatRestoreChanges(works, state, id, Number(wanted))};
		case 'since':
			return workSince(works, state, id, Number(wanted));
		case 'outcome':
			return showOutcome(works, state, {item: conflictOf(state, id), choice: wanted});
		case 'hunks':
			return showHunks(works, conflictOf(state, id));
		case 'trail':
			return showTrail(works, state, {item: conflictOf(state, id), hunk: Number(wanted)});
		default: {
			const [from, to] = rangeOf(state, what);
			return {text: await patchSurfaceFirst(works.store, from, to, requireSession(state).plan)};
		}
	}
};

/** Of what is written into a worktree after its last snapshot nothing is known yet. */
const whatRestoreChanges = async (
	works: Works,
	state: State,
	id: string,
	number: number,
): Promise<string> => {
	const agent = agentOf(state, id);
	const goal = agent?.snapshots.find(snapshot => snapshot.number === number);
	if (agent === undefined || goal === undefined) {
		throw new Failure('refused', `${id} has no snapshot ${number}.`, {
			hint: 'delegate-tui log shows the snapshots',
		});
	}

	return patch(works.store, await heldTree(works, agent), await treeAfter(works, goal));
};

/** Work of others that came under the agent meanwhile is no change of its own, and can't be told apart from it here. */
const workSince = async (
	works: Works,
	state: State,
	id: string,
	number: number,
): Promise<Shown> => {
	const agent = agentOf(state, id);
	const from = agent?.snapshots.find(snapshot => snapshot.number === number);
	const to = agent?.snapshots.at(-1);
	if (from === undefined || to === undefined) {
		throw new Failure('refused', `${id} has no snapshot ${number}.`, {
			hint: 'delegate-tui log shows the snapshots',
		});
	}

	const text = await patchSurfaceFirst(works.store, from.work, to.work, requireSession(state).plan);
	return from.ground.base === to.ground.base
		? {text}
		: {text, remark: 'It stands on other work since then; that is in here, too.'};
};

const sideOf = (name: string): 'a' | 'b' => {
	if (name !== 'a' && name !== 'b') {
		throw new Failure('usage', `A conflict has the sides a and b, and no side "${name}".`);
	}

	return name;
};

const rangeOf = (state: State, what: string): readonly [string, string] => {
	if (what === 'result') {
		const {merge} = state;
		if (!('built' in merge)) {
			throw new Failure('refused', 'There is no result to show yet.');
		}

		return [merge.built.tip, merge.built.commit];
	}

	const agent = agentOf(state, what);
	const snapshot = agent?.snapshots.at(-1);
	if (!snapshot) {
		throw new Failure('refused', `There is no work of ${what} to show yet.`);
	}

	return [snapshot.ground.base, snapshot.work];
};
