import {expect, test} from 'vitest';
import {fact, type Row} from '../../../src/tui/rows/row.ts';

const textOf = (row: Row | undefined): string => (row ?? []).map(({text}) => text).join('');

test.each(['Short', 'Fourteen signs', 'More than fourteen'])(
	'a fact labelled %j does not run into its label',
	label => {
		const [first, second] = fact(label, 'words that do not all fit', 30).map(textOf);
		expect(first).toMatch(new RegExp(`^${label} +words`));
		expect(second).toMatch(/^ {14}\S/);
	},
);
