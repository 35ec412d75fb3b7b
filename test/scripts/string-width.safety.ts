import fc from 'fast-check';
import exactWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import stringWidth from '../../scripts/bundle/string-width.ts';

/** What screens are made of, and what joins, widens or hides its neighbours. */
const pieces = [
	...'aZ 09~é½ßʰ·×',
	...'─│┌┴━█▒▸●◆◌✓✗✔✘⏎→↔−∞…–“•⠋⣿',
	...'‹›ℹ⏸␍␛␡★⚠✎❯',
	...'漢ｱ가　🎉👍☎⌚⏰▪◾♥',
	'\u0301',
	'\u200D',
	'\uFE0F',
	'\u20E3',
	'\u00AD',
	'\u200B',
	'\u2028',
	'\uD83D',
	'🏽',
	'🇩',
	'\t',
	'\n',
	'\u001B',
	'\u009B',
	'\u001B[1m',
	'\u001B[38;2;1;2;3m',
	'\u001B[4:3m',
	'\u001B[?25l',
	'\u001B]8;;x\u0007',
];

const texts = fc.oneof(
	fc.array(fc.constantFrom(...pieces), {maxLength: 12}).map(parts => parts.join('')),
	fc.string({unit: 'binary', maxLength: 12}),
);

const optionSets = [
	{},
	{countAnsiEscapeCodes: true},
	{ambiguousIsNarrow: false},
	{ambiguousIsNarrow: true, countAnsiEscapeCodes: false},
];

describe('the width that stands in for string-width', () => {
	test('is that of string-width, for any text and options', () => {
		fc.assert(
			fc.property(texts, fc.constantFrom(...optionSets), (text, options) => {
				expect(stringWidth(text, options)).toBe(exactWidth(text, options));
			}),
			{numRuns: 5000},
		);
	});

	test.each(['X', '─X─', 'X\uFE0F'])(
		'is that of string-width for every character of the first plane, as %j',
		context => {
			const wrong = Array.from({length: 0x1_00_00}, (_, code) =>
				context.replace('X', () => String.fromCharCode(code)),
			).filter(text => stringWidth(text) !== exactWidth(text));
			expect(wrong).toEqual([]);
		},
	);
});
