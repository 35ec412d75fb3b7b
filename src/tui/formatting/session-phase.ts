import type {Model} from '../../client/model.ts';
import {sessionStatus} from '../../rules/status.ts';
import {type Span, span} from '../rows/row.ts';

/** Returns what the session is at once no agent works any more; nothing while agents do. */
export const sessionPhaseSpan = ({state}: Pick<Model, 'state'>): Span | undefined => {
	const {session, merge, publications} = state;
	const last = publications.at(-1);
	if (session?.ended && last?.phase === 'undone') {
		return span('The session has ended, and its merge was taken back.', 'warn');
	}

	if (session?.ended) {
		const tone = last === undefined ? 'info' : 'good';
		return span(`The session has ended: ${session.ended.why}`, tone);
	}

	switch (merge.phase) {
		case 'built':
			return span('The merged result is being checked; you are asked when that is done', 'info');
		case 'approved':
		case 'intended':
			return span('The approved result is being merged …', 'info');
		default:
			return sessionStatus(state) === 'MERGING'
				? span('The accepted work is being put together …', 'info')
				: undefined;
	}
};
