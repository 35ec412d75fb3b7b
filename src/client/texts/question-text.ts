import {barredBelow} from '../../lib/text/barred.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import type {InboxItem} from '../../rules/inbox.ts';

/** Returns what there is to know of a question besides its words, a line for each; its agent's own words are sanitized. */
export const questionText = (item: InboxItem, columns: number | undefined): readonly string[] => {
	if (item.kind !== 'question') {
		return [];
	}

	const {asked_at, deadline, context, blocked_at, current_state, urgent, escalated, rejected} =
		item;
	return [
		['Asked', `${String(asked_at)}${urgent === true ? ', urgent' : ''}`],
		['Why', context],
		['Stopped at', blocked_at],
		['So far', current_state],
		['Expects', expectedOf(item)],
		['Waits until', escalated === true ? undefined : deadline],
		['Left to you', escalated === true ? 'its agent goes on with your answer' : undefined],
		['Last answer', rejected],
	].flatMap(([name, value]) =>
		value === undefined || value === ''
			? []
			: [barredBelow(`    ${name}: ${sanitize(String(value))}`, {indent: '      ', columns})],
	);
};

/** Returns what an answer to a question must be like, where it can't be any text. */
const expectedOf = ({type, pattern, multi, required}: InboxItem): string | undefined =>
	[
		type === undefined || type === 'choice' || type === 'text'
			? undefined
			: `${type === 'yes-no' ? 'yes or no' : `a ${String(type)}`}`,
		pattern === undefined ? undefined : `a text that matches ${String(pattern)}`,
		multi === true ? 'one or several options, separated by commas' : undefined,
		required === false ? 'an answer only if you have one' : undefined,
	]
		.filter(word => word !== undefined)
		.join(', ');
