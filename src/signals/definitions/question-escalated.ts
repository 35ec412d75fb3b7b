import {placeholder} from '../fields/placeholder.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {defineLine, type ValueSignal} from '../line-signal.ts';

export const questionEscalated = defineLine<ValueSignal<'question_escalated'>>({
	kind: 'question_escalated',
	marker: 'QUESTION_ESCALATED',
	meaning: {kind: 'informs'},
	help: 'Leave a question you asked in a file to a person, and end.',
	value: placeholder('id of the question'),
	fields: {value: 'id of the question'},
	examples: ['QUESTION_ESCALATED:workflow_1729350000_q1\n', 'QUESTION_ESCALATED: auth\n'],
	nearMiss: 'QUESTION_ESCALATED: which auth method?\n',
	read: ({value}, line) => {
		if (/\s/.test(value)) {
			throw new Unreadable('QUESTION_ESCALATED takes the id of a question, one word.');
		}

		return {kind: 'question_escalated', line, value};
	},
	print: ({value}) => ({value, below: new Map()}),
});
