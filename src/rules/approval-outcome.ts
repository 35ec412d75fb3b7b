import type {Event} from '../events/event.ts';
import type {State} from '../state/state.ts';

export type ApprovalOutcome =
	| {readonly kind: 'merged'; readonly commit: string; readonly target: string}
	/** The result changes nothing: the target stays at this commit. */
	| {readonly kind: 'unmoved'; readonly commit: string; readonly target: string}
	| {readonly kind: 'refused'; readonly message: string; readonly hint: string};

/**
Returns the outcome of an approved result, or `undefined` while it is being published.

@param commit The result.
@param since The events since its approval.
@param state The state after them.
*/
export const approvalOutcome = (
	commit: string,
	since: readonly Event[],
	state: State,
): ApprovalOutcome | undefined => {
	const target = state.session?.target ?? '';
	for (const event of since) {
		if (event.kind === 'merge.published' && event.commit === commit) {
			return {kind: event.from === commit ? 'unmoved' : 'merged', commit, target};
		}

		if (event.kind === 'merge.refused' && event.commit === commit) {
			return {kind: 'refused', message: event.message, hint: event.hint};
		}
	}

	return isOnItsWay(state) ? undefined : {kind: 'refused', ...whyNowhere(state, target)};
};

const isOnItsWay = ({session, merge}: State): boolean =>
	session?.ended === undefined && (merge.phase === 'approved' || merge.phase === 'intended');

/** Returns why an approved result was not merged if no event says so: the move was not tried, or the approval is void. */
const whyNowhere = (
	{session, items}: State,
	target: string,
): {readonly message: string; readonly hint: string} => {
	if (session?.ended !== undefined) {
		return {
			message: `The session has ended before ${target} was moved: ${session.ended.why}.`,
			hint: 'the work is kept; delegate-tui log tells where',
		};
	}

	const again = items.find(item => item.kind === 'approval');
	return (
		again?.refused ?? {
			message: `The approval no longer holds, since something that the result was built on has changed; ${target} was not moved.`,
			hint: 'another result is built, and you are asked about that one',
		}
	);
};
