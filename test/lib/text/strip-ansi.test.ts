import fc from 'fast-check';
import {expect, test} from 'vitest';
import {stripAnsi} from '../../../src/lib/text/strip-ansi.ts';

test.each([
	['no sequence', 'plain ütf 😀', 'plain ütf 😀'],
	['colours', '\x1b[1;38;5;208mred\x1b[0m', 'red'],
	['cursor moves', 'a\x1b[2Jb\x1b[?25lc\x1b[10;20Hd', 'abcd'],
	['a title ended by a bell', '\x1b]0;title\x07text', 'text'],
	['a link', '\x1b]8;;https://example.com\x1b\\name\x1b]8;;\x1b\\', 'name'],
	['device strings', '\x1bPq#0\x1b\\a\x1b_x\x1b\\b\x1b^y\x1b\\c\x1bXz\x1b\\d', 'abcd'],
	['one-character forms', '\u009b31mred\u009b0m \u009d0;t\u009ctext', 'red text'],
	['two-character sequences', '\x1b7a\x1b8b\x1b(Bc\x1b=d', 'abcd'],
	['a string that is never closed', '\x1b]0;title and text', '0;title and text'],
	['a control that is never ended', 'a\x1b[12', 'a12'],
	['an escape at the end', 'a\x1b', 'a'],
	['an escape before an escape', '\x1b\x1b[0ma', 'a'],
])('%s', (_, text, stripped) => {
	expect(stripAnsi(text)).toBe(stripped);
});

test('nothing that starts a sequence is left, and no other text is lost', () => {
	const part = fc.oneof(
		fc.string(),
		fc.constantFrom('\x1b', '\x1b[', '\x1b]', '\x07', '\x1b\\', '\u009b', 'm'),
	);
	fc.assert(
		fc.property(fc.array(part), parts => {
			expect(stripAnsi(parts.join(''))).not.toMatch(/[\x1b\x90\x98\x9b\x9d-\x9f]/);
		}),
	);
	fc.assert(
		fc.property(fc.string(), text => {
			expect(stripAnsi(`\x1b[31m${text}\x1b[0m`)).toBe(text);
		}),
	);
});
