import type {Closed, QuestionRecord} from '../../rules/questions/record.ts';

/** Returns what became of a question that waits no more, if it is one: whoever comes too late is told so. */
export const whoAnsweredFirst = (
	records: readonly QuestionRecord[],
	id: string,
): string | undefined => {
	const closed = records.find(({item}) => item === id)?.closed;
	return closed && `${id} waits no more. ${closedText(closed)}`;
};

/** Returns in a sentence what became of a question. */
export const closedText = (closed: Closed): string => {
	if (closed.how === 'gone') {
		return 'Nobody needs an answer any more.';
	}

	return closed.by === 'policy' || closed.by === 'demo'
		? `Answered "${closed.answer}" by the ${closed.by}.`
		: `Answered "${closed.answer}" from ${closed.from}.`;
};
