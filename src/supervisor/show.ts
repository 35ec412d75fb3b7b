import {patch} from '../git/patch.ts';
import {Failure} from '../lib/failure.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import type {World} from './world.ts';

/** A page of something that is too big for an event; `next` is where the following page starts. */
export type Page = {
	readonly lines: readonly string[];
	readonly total: number;
	readonly next: number | null;
};

/** Longest line that is shown, in characters. */
const maximumLine = 2000;

/** Returns the lines of a diff: an agent's work, or the result that waits for approval. */
export const show = async (
	world: World,
	state: State,
	{what, offset, limit}: {what: string; offset: number; limit: number},
): Promise<Page> => {
	const [from, to] = rangeOf(state, what);
	const lines = (await patch(world.store, from, to)).split('\n');
	const end = offset + limit;
	return {
		lines: lines.slice(offset, end).map(line => line.slice(0, maximumLine)),
		total: lines.length,
		next: end < lines.length ? end : null,
	};
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
	if (agent?.workspace.phase !== 'ready' || !snapshot) {
		throw new Failure('refused', `There is no work of ${what} to show yet.`);
	}

	return [agent.workspace.base, snapshot.work];
};
