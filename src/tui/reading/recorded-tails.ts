import type {Event} from '../../events/event.ts';
import type {Merge} from '../../state/merge.ts';
import type {State} from '../../state/state.ts';
import {checkLogIn} from './check-log.ts';
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

	return {...tails, [checkTail]: printed(files, state.merge)};
};

/** Of a check that runs, nothing more is known than its first command. */
const printed = (files: Recording['files'], merge: Merge): readonly string[] => {
	const folder = 'verify/';
	const names = [...files.keys()]
		.filter(path => path.startsWith(folder))
		.map(path => path.slice(folder.length));
	const lines = linesOf(files.get(`${folder}${checkLogIn(names, merge)}`));
	return merge.phase === 'built' ? lines.slice(0, 1) : lines;
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
