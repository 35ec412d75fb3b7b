import {isBegun} from '../../git/target/begun-move.ts';
import {asFailure} from '../../lib/failure.ts';
import {notClearedText} from '../../rules/notices.ts';
import {clearUp} from '../perform/clear-up.ts';
import type {StartParts} from '../start-session.ts';
import {withEndedSession} from './ended-session.ts';
import {readLastSession} from './last-session.ts';

/**
Takes back what a move of the target left in the person's checkout, if the last session ended before that could be done, or if its journal doesn't tell of it.

What stands against it is told where it is news, and else for the log: it must not keep the next session from starting.
*/
export const clearUpEnded = async (parts: StartParts): Promise<void> => {
	try {
		const last = await readLastSession(parts.folder);
		if (last?.fault !== undefined) {
			return;
		}

		if (last === undefined || last.state.interrupted.length === 0) {
			await clearUnknown(parts);
		} else if (last.state.session?.ended) {
			await clear(parts, last.id);
		}
	} catch (error) {
		parts.log(`what a merge left that was cut off was not looked at: ${asFailure(error).message}`);
	}
};

const clear = (parts: StartParts, id: string): Promise<void> =>
	withEndedSession(parts, id, async context => {
		const {notCleared} = context.state();
		const outcome = await clearUp(context, {});
		if (outcome.left !== null) {
			parts.log(notClearedText(outcome.left));
		}

		if (outcome.left === null || outcome.left.message !== notCleared?.message) {
			await context.append([outcome]);
		}
	});

/** What a session still has to do itself would begin with the same. */
const clearUnknown = async (parts: StartParts): Promise<void> => {
	const {left} = (await isBegun(parts.repository)) ? await clearUp(parts, {}) : {left: null};
	if (left !== null) {
		parts.log(notClearedText(left));
	}
};
