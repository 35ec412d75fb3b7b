import type {Definition} from '../definition.ts';
import {placeholder, Unreadable} from '../fields/unreadable.ts';
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

type WorkflowComplete = {readonly kind: 'workflow_complete'; readonly line: number};

export const workflowComplete: Definition<WorkflowComplete> = {
	kind: 'workflow_complete',
	marker: 'WORKFLOW_COMPLETE',
	form: {type: 'word'},
	meaning: {kind: 'concludes'},
	help: 'Say that all your work is done, when there is nothing to report; alone on its line.',
	fields: [],
	examples: ['WORKFLOW_COMPLETE\n', '**WORKFLOW_COMPLETE**\n'],
	nearMiss: 'WORKFLOW_COMPLETE: nearly\n',
	template: 'WORKFLOW_COMPLETE ‹alone on its line›\n',
	read: (text, line) => {
		if (text !== '') {
			throw new Unreadable('WORKFLOW_COMPLETE stands alone on its line.');
		}

		return {kind: 'workflow_complete', line};
	},
	print: () => 'WORKFLOW_COMPLETE\n',
};
