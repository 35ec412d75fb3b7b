import {shortLine} from '../../agents/one-line.ts';
import type {TurnOutcome} from '../../agents/turn.ts';
import {Failure} from '../../lib/failure.ts';
import {withoutStop} from '../../lib/without-stop.ts';

/**
Returns what a planner said in a turn that came to its end.

@throws `Failure` of kind `refused` with the cause when the turn failed, or nothing was said in it
*/
export const requireWords = ({end, lastError}: TurnOutcome, words: string): string => {
	const said = lastError === undefined ? '' : `: ${shortLine(lastError)}`;
	const cause = ((): string | undefined => {
		switch (end.by) {
			case 'exit':
				return end.code === 0 ? undefined : `it exited with code ${end.code}${said}`;
			case 'signal':
				return `it was killed by ${end.signal}${said}`;
			case 'error':
				return withoutStop(end.cause);
			case 'stopped':
			case 'lost':
				return `its turn was cut off${said}`;
		}
	})();
	if (cause !== undefined) {
		throw new Failure('refused', `The planner came to nothing: ${cause}.`, {
			hint: 'fix that, or name another planner; delegate-tui doctor shows which are ready',
		});
	}

	if (words.trim() === '') {
		throw new Failure('refused', `The planner said nothing${said}.`, {
			hint: 'see whether its program answers a prompt by hand, or name another planner',
		});
	}

	return words;
};
