import fc from 'fast-check';
import {expect, test} from 'vitest';
import {plainJson} from '../../../src/lib/text/json.ts';

test('what steers a terminal, turns the text or shows nothing is escaped', () => {
	expect(plainJson({'a\x1b[31m': 'b\x7fc\x9b31md\u202ee\u200bf\u2028\u{e0041}'})).toBe(
		String.raw`{"a\u001b[31m":"b\u007fc\u009b31md\u202ee\u200bf\u2028\udb40\udc41"}`,
	);
});

test('what can be seen stays as it is', () => {
	expect(plainJson('é → 漢字 عربي 🙂')).toBe('"é → 漢字 عربي 🙂"');
});

test('whoever parses it gets the same value', () => {
	const text = fc
		.array(fc.integer({min: 0, max: 0xffff}), {maxLength: 60})
		.map(codes => String.fromCharCode(...codes));
	fc.assert(
		fc.property(text, text => {
			expect(JSON.parse(plainJson(text))).toBe(text);
			expect(plainJson(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
		}),
		{seed: 1},
	);
});
