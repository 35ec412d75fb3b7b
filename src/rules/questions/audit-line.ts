import type {Closed, QuestionRecord} from './record.ts';

/**
Returns the line of an answered question in the audit log: time, id, question, answer, seconds and path, between bars.

A bar, a backslash and a line end in a field are escaped, so that a line is one answer and its fields can be told apart.
*/
export const auditLine = (
	{id, question}: QuestionRecord,
	{at, answer, responseMs, path}: Extract<Closed, {how: 'answered'}>,
): string =>
	[
		at.replace(/\.\d+Z$/, 'Z'),
		id,
		question.question,
		answer,
		`${Math.floor(responseMs / 1000)}s`,
		path,
	]
		.map(escaped)
		.join(' | ');

const escaped = (field: string): string =>
	field
		.replaceAll('\\', '\\\\')
		.replaceAll('|', '\\|')
		.replaceAll('\r', '\\r')
		.replaceAll('\n', '\\n');
