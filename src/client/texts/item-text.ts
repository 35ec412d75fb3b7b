import {quotedBelow, quotedBlock} from '../../lib/text/quoted-block.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import type {InboxItem, ShownChoice} from '../../rules/inbox.ts';
import type {Closed, QuestionRecord} from '../../rules/question-record.ts';
import {snoozeWord} from '../../state/items.ts';
import {detailText} from './describe.ts';

/**
Returns an item of the inbox with its choices, as lines for a person; agents' text is behind bars.

@param store The supervisor's git repository, in which a person can look at the work.
@param columns Columns of the terminal; without them lines are not wrapped.
*/
export const itemText = (item: InboxItem, store: string, columns?: number): string =>
	[
		`${item.id}  ${item.agent === undefined ? '' : `${item.agent}  `}${item.kind}${item.kind === 'question' && item.urgent === true ? ', urgent' : ''}`,
		quotedBlock(item.title, {indent: '  ', columns}),
		...detailText(item, store).map(line => detailLine(line, columns)),
		...item.choices.map(choice => choiceText(item, choice, columns)),
		...(item.free ? ['    …or an answer of your own'] : []),
	].join('\n');

/** Returns a line of detail; line ends in a name must not start new lines. */
const detailLine = (text: string, columns: number | undefined): string =>
	quotedBelow(`    ${sanitize(text)}`, {indent: '      ', columns});

/** Returns a choice; the options of a question are its agent's words. */
const choiceText = (
	{kind}: InboxItem,
	{choice, label, whyNot}: ShownChoice,
	columns: number | undefined,
): string => {
	const text = `${choice}${label === choice ? '' : `  — ${label}`}${whyNot === undefined ? '' : ` (unavailable: ${whyNot})`}`;
	return kind === 'question' && choice !== snoozeWord
		? quotedBlock(sanitize(text), {indent: '    ', columns})
		: quotedBelow(`    ${sanitize(text)}`, {indent: '      ', columns});
};

/** Returns a question's outcome, if it no longer waits, for a person who answers too late. */
export const whoAnsweredFirst = (
	records: readonly QuestionRecord[],
	id: string,
): string | undefined => {
	const closed = records.find(({item}) => item === id)?.closed;
	return closed && `${id} no longer waits. ${closedText(closed)}`;
};

/** Returns a sentence about the outcome of a question. */
export const closedText = (closed: Closed): string => {
	if (closed.how === 'gone') {
		return 'No agent needs an answer any more.';
	}

	return closed.by === 'policy' || closed.by === 'demo'
		? `Answered "${closed.answer}" by the ${closed.by}.`
		: `Answered "${closed.answer}" from ${closed.from}.`;
};
