import {whoAnsweredFirst} from '../../client/texts/closed-text.ts';
import {whyGone} from '../../rules/commands/why-not.ts';
import type {View} from '../page/view.ts';

/** Returns why an item that a page showed can't be decided any more, and who was faster where that is known. */
export const whyGoneHere = (
	{session: {state, records}}: View,
	id: string,
	session: string | null,
): string => {
	if (session !== state.session?.session) {
		return 'Its session is over; another one is shown by now.';
	}

	return whoAnsweredFirst(records, id) ?? whyGone(state, id);
};
