import type {Definition} from '../definition.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {asText, defineValueLine} from '../line-signal.ts';

export const created = defineValueLine({
	kind: 'created',
	marker: 'CREATED',
	help: 'Name a file you made.',
	value: 'path of the file',
	examples: [
		'CREATED: /home/benjamin/.config/.claude/specs/042_auth/reports/001_patterns.md\n',
		'CREATED: src/limit/bucket.ts\n',
	],
	nearMiss: 'Created: src/limit/bucket.ts\n',
	read: asText,
});

export const title = defineValueLine({
	kind: 'title',
	wraps: true,
	marker: 'TITLE',
	help: 'Name what you made.',
	value: 'a title',
	examples: ['TITLE: Authentication Patterns Analysis\n', 'TITLE: Authentication Report\n'],
	nearMiss: 'TITLE - Authentication Report\n',
	read: asText,
});

export const status = defineValueLine({
	kind: 'status',
	marker: 'STATUS',
	help: 'Say in a word where you stand; complete, with CREATED or SUMMARY, ends your work with your turn.',
	value: 'complete or another word',
	examples: ['STATUS: complete\n', 'STATUS: waiting for the tests\n'],
	nearMiss: 'The STATUS: complete\n',
	read: asText,
});

/** Recommended maximum length of a summary, in characters. */
export const summaryLength = 200;

export const summary = defineValueLine({
	kind: 'summary',
	wraps: true,
	marker: 'SUMMARY',
	help: `Say in at most ${summaryLength} characters what you found or did.`,
	value: 'the summary',
	examples: [
		'SUMMARY: Analyzed 12 existing patterns, recommending JWT with refresh tokens\n',
		'SUMMARY: Key findings...\n',
	],
	nearMiss: 'SUMMARY\n',
	// A summary that is too long is kept in full.
	read: (value): {readonly value: string; readonly too_long?: true} => ({
		value,
		...([...value].length > summaryLength ? {too_long: true} : {}),
	}),
	told: ({value, too_long: tooLong}) =>
		`summary${tooLong ? ', longer than it should be' : ''}: ${value}`,
});

export const count = defineValueLine({
	kind: 'count',
	marker: 'COUNT',
	help: 'Say how many there are of what you were asked to count.',
	value: 'a whole number',
	examples: ['COUNT: 15\n', 'COUNT: 0\n'],
	nearMiss: 'COUNT: a lot\n',
	read: (value): {readonly value: number} => {
		const number = Number(value);
		if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
			throw new Unreadable('COUNT takes a whole number.');
		}

		return {value: number};
	},
});

export const questionEscalated = defineValueLine({
	kind: 'question_escalated',
	marker: 'QUESTION_ESCALATED',
	help: 'Leave a question you asked in a file to a person, and end.',
	value: 'id of the question',
	examples: ['QUESTION_ESCALATED:workflow_1729350000_q1\n', 'QUESTION_ESCALATED: auth\n'],
	nearMiss: 'QUESTION_ESCALATED: which auth method?\n',
	read: value => {
		if (/\s/.test(value)) {
			throw new Unreadable('QUESTION_ESCALATED takes the id of a question, one word.');
		}

		return {value};
	},
	told: ({value}) => `leaves its question ${value} to a person`,
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
	told: () => 'says that its workflow is complete',
};
