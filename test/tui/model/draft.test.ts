import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type Draft,
	draftLines,
	draftOf,
	editingKeys,
	emptyDraft,
	insert,
} from '../../../src/tui/model/draft.ts';

/** A draft as one text, with a bar where the next character goes. */
const shown = ({text, at}: Draft): string => `${text.slice(0, at)}|${text.slice(at)}`;

const read = (text: string): Draft => ({text: text.replace('|', ''), at: text.indexOf('|')});

describe('a key', () => {
	test.each([
		['left', 'ab|c', 'a|bc'],
		['left', '|abc', '|abc'],
		['right', 'ab|c', 'abc|'],
		['right', 'abc|', 'abc|'],
		['left', 'a👩‍👩‍👧|', 'a|👩‍👩‍👧'],
		['backspace', 'a👩‍👩‍👧|b', 'a|b'],
		['delete', 'a|👩‍👩‍👧b', 'a|b'],
		['backspace', 'one\n|two', 'one|two'],
		['home', 'one\ntw|o', 'one\n|two'],
		['end', 'on|e\ntwo', 'one|\ntwo'],
		['up', 'one\ntw|o', 'on|e\ntwo'],
		['up', 'o\ntw|o', 'o|\ntwo'],
		['up', 'o|ne\ntwo', 'o|ne\ntwo'],
		['down', 'on|e\ntwo', 'one\ntw|o'],
		['down', 'one\ntw|o', 'one\ntw|o'],
		['ctrl+w', 'one two |', 'one |'],
		['ctrl+u', 'one\ntwo th|ree', 'one\n|ree'],
		['ctrl+k', 'one t|wo\nthree', 'one t|\nthree'],
	])('%s makes %j to %j', (key, before, expected) => {
		expect(shown(editingKeys[key]?.(read(before)) ?? emptyDraft)).toBe(expected);
	});
});

describe('what is put in', () => {
	test('goes where the person writes', () => {
		expect(shown(insert(read('a|c'), 'b'))).toBe('ab|c');
	});

	test('keeps its line ends, whatever they were, and nothing that could steer a terminal', () => {
		expect(shown(insert(emptyDraft, 'a\r\nb\rc\nd\te\u001b[2Jf\u0007'))).toBe(
			'a\nb\nc\nd    e[2Jf|',
		);
	});
});

describe('the lines of a draft', () => {
	test('are as wide as there is room, and no character gets lost', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), fc.integer({min: 2, max: 20}), (text, columns) => {
				const draft = insert(emptyDraft, text);
				const {lines} = draftLines(draft, columns);
				expect(lines.join('')).toBe(draft.text.replaceAll('\n', ''));
			}),
		);
	});

	test.each([
		['|', 4, ['', '0:0']],
		['abcd|', 4, ['abcd', '0:4']],
		['abcd|e', 4, ['abcd', 'e', '1:0']],
		['ab|cde', 4, ['abcd', 'e', '0:2']],
		['ab\n|', 4, ['ab', '', '1:0']],
		['日本|語', 4, ['日本', '語', '1:0']],
	])('of %j in %i columns are %j', (text, columns, expected) => {
		const {lines, row, index} = draftLines(read(text), columns);
		expect([...lines, `${row}:${index}`]).toEqual(expected);
	});

	test('end where a new draft of a text begins to be written', () => {
		expect(shown(draftOf('abc'))).toBe('abc|');
	});
});
