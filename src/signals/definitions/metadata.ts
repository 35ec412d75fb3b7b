import {placeholder, Unreadable} from '../fields/unreadable.ts';
import {defineLine, defineValueLine} from '../line-signal.ts';

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
});

export const title = defineValueLine({
	kind: 'title',
	marker: 'TITLE',
	help: 'Name what you made.',
	value: 'a title',
	examples: ['TITLE: Authentication Patterns Analysis\n', 'TITLE: Authentication Report\n'],
	nearMiss: 'TITLE - Authentication Report\n',
});

export const status = defineValueLine({
	kind: 'status',
	marker: 'STATUS',
	help: 'Say in a word where you stand; complete, with CREATED or SUMMARY, ends your work with your turn.',
	value: 'complete or another word',
	examples: ['STATUS: complete\n', 'STATUS: waiting for the tests\n'],
	nearMiss: 'The STATUS: complete\n',
});

/** The length a summary should keep to, in characters. */
export const summaryLength = 200;

type Summary = {
	readonly kind: 'summary';
	readonly line: number;
	readonly value: string;
	/** Only on a summary longer than it should be; it is kept whole. */
	readonly too_long?: true;
};

export const summary = defineLine<Summary>({
	kind: 'summary',
	marker: 'SUMMARY',
	meaning: {kind: 'informs'},
	help: `Say in at most ${summaryLength} characters what you found or did.`,
	value: placeholder('the summary'),
	fields: {value: 'the summary'},
	examples: [
		'SUMMARY: Analyzed 12 existing patterns, recommending JWT with refresh tokens\n',
		'SUMMARY: Key findings...\n',
	],
	nearMiss: 'SUMMARY\n',
	read: ({value}, line) => ({
		kind: 'summary',
		line,
		value,
		...([...value].length > summaryLength ? {too_long: true} : {}),
	}),
	print: ({value}) => ({value, below: new Map()}),
});

type Count = {readonly kind: 'count'; readonly line: number; readonly value: number};

export const count = defineLine<Count>({
	kind: 'count',
	marker: 'COUNT',
	meaning: {kind: 'informs'},
	help: 'Say how many there are of what you were asked to count.',
	value: placeholder('a whole number'),
	fields: {value: 'a whole number'},
	examples: ['COUNT: 15\n', 'COUNT: 0\n'],
	nearMiss: 'COUNT: a lot\n',
	read: ({value}, line) => {
		const number = Number(value);
		if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
			throw new Unreadable('COUNT takes a whole number.');
		}

		return {kind: 'count', line, value: number};
	},
	print: ({value}) => ({value: String(value), below: new Map()}),
});
