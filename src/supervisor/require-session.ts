import {Failure} from '../lib/failure.ts';
import type {Session, State} from '../state/state.ts';

/** Returns the session that every effect is part of. */
export const requireSession = ({session}: State): Session => {
	if (!session) {
		throw new Failure('internal', 'There is no session.');
	}

	return session;
};
