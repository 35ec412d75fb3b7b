import type {State} from '../state/state.ts';

/** Returns in words why the last move of the target can't be turned round now, or nothing when it can. */
export const whyNotUndo = ({session, landing, merge}: State): string | undefined => {
	if (!session || landing.phase === 'none') {
		return 'Nothing was merged in this session.';
	}

	return merge.phase === 'intended' || landing.intent !== undefined
		? `${session.target} is being moved.`
		: undefined;
};
