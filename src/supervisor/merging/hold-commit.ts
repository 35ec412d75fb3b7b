import {copyBorrowed} from '../../git/store/copy-borrowed.ts';
import {pin} from '../../git/store/store.ts';
import type {State} from '../../state/state.ts';
import {requireSession} from '../require-session.ts';
import type {World} from '../world.ts';

/**
Pins a commit that a session relies on, and has the store keep all that it brings beyond the session's base.

In the person's repository only that base is kept alive. A commit of theirs that work is put on, or a file that one of their filters made, may be amended away and collected there the next minute.
*/
export const holdCommit = async (
	{store, session}: Pick<World, 'store' | 'session'>,
	state: State,
	what: 'base' | 'result',
	oid: string,
): Promise<void> => {
	const {base} = requireSession(state);
	await copyBorrowed(store, {of: [oid], beyond: [base], isLenient: true});
	await pin(store, {ref: `refs/delegate/${session}/${what}/${oid}`, oid});
};
