import {expect, test} from 'vitest';
import {sanitize} from '../../../src/lib/text/sanitize.ts';
import {cutRow, fact, type Row, span} from '../../../src/tui/rows/row.ts';
import {widthOf} from '../../../src/tui/rows/text.ts';

const textOf = (row: Row | undefined): string => (row ?? []).map(({text}) => text).join('');

test.each(['Short', 'Fourteen signs', 'More than fourteen'])(
	'a fact labelled %j does not run into its label',
	label => {
		const [first, second] = fact(label, 'words that do not all fit', 30).map(textOf);
		expect(first).toMatch(new RegExp(`^${label} +words`));
		expect(second).toMatch(/^ {14}\S/);
	},
);

test('a row is cut by the columns that its text takes once it is harmless', () => {
	const cells = cutRow([span('\u202e'.repeat(3)), span('x'.repeat(9))], 30);
	expect(widthOf(cells.map(({text}) => sanitize(text)).join(''))).toBe(30);
});
