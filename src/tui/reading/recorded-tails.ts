import type {Event} from '../../events/event.ts';
import type {State} from '../../state/state.ts';
import type {Recording} from './recording.ts';
import {checkTail} from './tails.ts';

const kept = 1000;

/**
Returns the last lines of each agent's words as they were at a moment of a recording.

How much of a transcript there was is known where a signal was heard, and where the turn ended.
*/
export const recordedTails = (
	{files}: Recording,
	past: readonly Event[],
	state: State,
): Readonly<Record<string, readonly string[]>> => {
	const tails: Record<string, readonly string[]> = {};
	for (const {id, turn} of state.agents) {
		if (turn.phase !== 'none') {
			const whole = files.get(`${id}/transcript/${turn.number}.txt`);
			const bytes = turn.phase === 'ended' ? undefined : heard(past, id, turn.number);
			tails[id] = linesOf(whole?.subarray(0, bytes));
		}
	}

	const log = 'verified' in state.merge ? state.merge.verified.log : null;
	return log === null ? tails : {...tails, [checkTail]: linesOf(files.get(log.path))};
};

const heard = (past: readonly Event[], agent: string, turn: number): number => {
	const last = past.findLast(
		event => event.kind === 'signal.said' && event.agent === agent && event.turn === turn,
	);
	return last?.kind === 'signal.said' ? last.offset : 0;
};

const linesOf = (bytes: Uint8Array | undefined): readonly string[] => {
	const text = new TextDecoder().decode(bytes);
	return text === '' ? [] : text.trimEnd().split('\n').slice(-kept);
};
