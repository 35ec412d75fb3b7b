import {placeholder} from '../fields/placeholder.ts';
import {defineLine} from '../line-signal.ts';

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
