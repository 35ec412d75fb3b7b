import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sanitize, withoutColors} from '../../../src/lib/text/sanitize.ts';

const bell = '\x07';
const terminator = '\x1b\\';

test.each([
	['plain text', 'npm test: 12 passed', 'npm test: 12 passed'],
	['text of any script', 'é → 漢字 عربي 🙂', 'é → 漢字 عربي 🙂'],
	['emoji with a style', '⚠️ ✔︎', '⚠️ ✔︎'],
	['colour', 'a\x1b[1;31mb\x1b[0mc', 'a␛[1;31mb␛[0mc'],
	['cursor moves', 'a\x1b[2J\x1b[10;3Hb', 'a␛[2J␛[10;3Hb'],
	['code between a title and its end', '/*\x1b]0;*/ evil(); /*\x07*/', '/*␛]0;*/ evil(); /*␇*/'],
	['the clipboard', `a\x1b]52;c;cm0gLXJm${terminator}b`, 'a␛]52;c;cm0gLXJm␛\\b'],
	['a link', `\x1b]8;;https://evil.test${terminator}text`, '␛]8;;https://evil.test␛\\text'],
	['a device string', `a\x1bPq#0;2${terminator}b`, 'a␛Pq#0;2␛\\b'],
	['private messages', `a\x1b_x${terminator}\x1b^y\x1bXz`, 'a␛_x␛\\␛^y␛Xz'],
	['C1 forms', 'a\x9b31mb\x9d0;title\x9cc', 'a<U+009B>31mb<U+009D>0;title<U+009C>c'],
	['other control characters', 'a\rb\bc\x00d\x7fe\x85f', 'a␍b␈c␀d␡e<U+0085>f'],
	['a line end and a tab', 'a\nb\tc\r\n', 'a␊b␉c␍␊'],
	['a lone escape', 'a\x1b', 'a␛'],
	['direction', 'a\u202eb\u2066c\u200fd', 'a<U+202E>b<U+2066>c<U+200F>d'],
	['zero width', 'a\u200bb\u2060c\ufeffd\u00ade', 'a<U+200B>b<U+2060>c<U+FEFF>d<U+00AD>e'],
	['joined emoji', '👩\u200d💻', '👩<U+200D>💻'],
	['tags', 'a\u{e0041}b', 'a<U+E0041>b'],
	[
		'hidden bytes in variation selectors',
		'a\ufe0f🙂\ufe0f\ufe0f\u{e0101}',
		'a<U+FE0F>🙂\ufe0f<U+FE0F><U+E0101>',
	],
	['fillers', 'a\u3164b\u115fc', 'a<U+3164>b<U+115F>c'],
	['unusual line ends', 'a\u2028b\u2029c', 'a<U+2028>b<U+2029>c'],
	['half a character', 'a\ud800b\udc00', 'a<U+D800>b<U+DC00>'],
	['marks on their letter', 'e\u0301 นี้', 'e\u0301 นี้'],
	['a mark on nothing', '\u0301a\n\u0302', '<U+0301>a␊<U+0302>'],
	['a pile of marks', `a${'\u0301'.repeat(8)}`, `a${'\u0301'.repeat(6)}<U+0301><U+0301>`],
])('%s', (_, text, safe) => {
	expect(sanitize(text)).toBe(safe);
});

test.each([
	['line ends stay', 'a\nb\n', 'a\nb\n'],
	['a tab becomes spaces', 'a\tb', 'a    b'],
	['a line end of Windows is one line end', 'a\r\nb', 'a\nb'],
	['going back to the start of a line is not a line end', 'a\rb\r\r\n', 'a␍b␍\n'],
])('with lines, %s', (_, text, safe) => {
	expect(sanitize(text, {lines: true})).toBe(safe);
});

test.each([
	['colours go', '\x1b[1;31mred\x1b[0m \x1b[38:5:1mone\x1b[m', 'red one'],
	['what was concealed stays', '\x1b[8mpassword\x1b[28m', 'password'],
	['other sequences stay', '\x1b[2Ja\x1b]0;m\x07\x1b[31', '\x1b[2Ja\x1b]0;m\x07\x1b[31'],
])('%s', (_, text, expected) => {
	expect(withoutColors(text)).toBe(expected);
});

/** Text made of everything that means something to a terminal. */
const pieces = [
	'\x1b',
	'[',
	']',
	'P',
	'0;',
	'31',
	'm',
	';',
	'\\',
	bell,
	'\x9b',
	'\x9c',
	'\x9d',
	'\n',
	'\r',
	'\t',
	'x',
	'é',
	'🙂',
	'\u202e',
	'\ufe0f',
	'\u0301',
	'\ud800',
];
const hostile = fc.oneof(
	fc.array(fc.constantFrom(...pieces), {maxLength: 60}).map(parts => parts.join('')),
	fc.string({unit: 'binary', maxLength: 60}),
	fc
		.array(fc.integer({min: 0, max: 0xffff}), {maxLength: 60})
		.map(codes => String.fromCharCode(...codes)),
);

const control = /[\x00-\x1f\x7f-\x9f]/;
const spoofing =
	/[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])/;

test('nothing that a terminal obeys is left of any text', () => {
	fc.assert(
		fc.property(hostile, text => {
			const safe = sanitize(text);
			expect(safe).not.toMatch(control);
			expect(safe).not.toMatch(spoofing);
			expect(sanitize(safe)).toBe(safe);
			expect(sanitize(text, {lines: true}).replaceAll('\n', '')).not.toMatch(control);
		}),
		{numRuns: 10_000},
	);
});

/** Returns a text with all of its characters as they are spelled out. */
const spelled = (text: string): string =>
	[
		...text.replaceAll(/<U\+([\dA-F]{4,6})>/g, (_, code) =>
			String.fromCodePoint(Number.parseInt(code, 16)),
		),
	]
		.map(character => character.codePointAt(0) ?? 0)
		.map(code =>
			code >= 0x24_00 && code < 0x24_20 ? code - 0x24_00 : code === 0x24_21 ? 0x7f : code,
		)
		.join(' ');

test('nothing of any text is left out', () => {
	fc.assert(
		fc.property(hostile, text => {
			expect(spelled(sanitize(text))).toBe(spelled(text));
		}),
		{numRuns: 3000},
	);
});

test('text that is not hostile stays whole', () => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme-ascii'}), text => {
			expect(sanitize(text)).toBe(text);
		}),
	);
});

test.each([
	'\x1b',
	'\x1b]',
	'\x1b[',
	'\x9d',
	'\x1b[3',
	'\x1bP\x1b',
	'\x1b]0;x',
	'🙂\ufe0f',
	'\x1b[1;',
	'x'.repeat(50),
])('a million characters of %j take no time to speak of', piece => {
	const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
	// Of this process alone: on a busy machine the clock also counts the time of others.
	const before = process.cpuUsage();
	sanitize(withoutColors(text), {lines: true});
	const {user, system} = process.cpuUsage(before);
	expect((user + system) / 1000).toBeLessThan(5000);
});
