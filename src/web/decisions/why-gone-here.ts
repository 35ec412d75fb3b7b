import {whyGone} from '../../rules/commands/why-not.ts';
import {endText} from '../page/answered.ts';
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

	const closed = records.find(({item}) => item === id)?.closed;
	return closed === undefined ? whyGone(state, id) : `${id} waits no more. ${endText(closed)}`;
};
