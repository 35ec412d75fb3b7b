import {formatDuration, timeOfDay} from '../../lib/text/duration.ts';
import {defined} from '../../lib/values.ts';
import type {Closed, QuestionRecord} from '../../rules/question-record.ts';
import {optionsOf} from '../../state/items/question/answer.ts';

/** Returns a question and its outcome, as two lines for a person. */
export const questionRecordText = (record: QuestionRecord): readonly string[] => {
	const {askedAt, item, agent, question, closed} = record;
	const options = optionsOf(question).join('|');
	return [
		`${timeOfDay(askedAt)}  ${item}  ${agent}  ${question.question}${options === '' ? '' : ` [${options}]`}`,
		`          ${endOf(closed)}`,
	];
};

const endOf = (closed: Closed | undefined): string => {
	if (closed === undefined) {
		return 'waits for an answer';
	}

	if (closed.how === 'gone') {
		return 'went unanswered: no agent needs it any more';
	}

	const {answer, note, by, from, responseMs, path} = closed;
	const who = by === 'user' ? 'you' : `by: ${by}`;
	return `→ ${answer}${note === undefined ? '' : ` (${note})`}  ${who}, from ${from}, after ${formatDuration(responseMs)}, ${path}`;
};

/** Returns a question and its outcome, as fields for a program. */
export const questionRecordJson = ({
	item,
	id,
	agent,
	question,
	askedAt,
	deadline,
	closed,
}: QuestionRecord) => ({
	item,
	id,
	agent,
	question: question.question,
	options: optionsOf(question),
	asked_at: askedAt,
	deadline,
	...(closed?.how === 'answered'
		? {
				answer: closed.answer,
				...defined({note: closed.note}),
				answered_at: closed.at,
				by: closed.by,
				from: closed.from,
				response_seconds: Math.floor(closed.responseMs / 1000),
				path: closed.path,
			}
		: {answer: null, ...defined({gone_at: closed?.at})}),
});
