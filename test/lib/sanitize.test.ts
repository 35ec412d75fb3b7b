import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sanitize} from '../../src/lib/sanitize.ts';

const bell = '\x07';
const terminator = '\x1b\\';

test.each([
	['plain text', 'npm test: 12 passed', 'npm test: 12 passed'],
	['text of any script', 'é → 漢字 عربي 🙂', 'é → 漢字 عربي 🙂'],
	['emoji with a style', '⚠️ ✔︎', '⚠️ ✔︎'],
	['colour', 'a\x1b[1;31mb\x1b[0mc', 'abc'],
	['cursor moves', 'a\x1b[2J\x1b[10;3Hb\x1b[?1049hc', 'abc'],
	['a sequence with intermediates', 'a\x1b[2 qb', 'ab'],
	['a title', `a\x1b]0;root#${bell}b`, 'ab'],
	['the clipboard', `a\x1b]52;c;cm0gLXJm${terminator}b`, 'ab'],
	['a link', `\x1b]8;;https://evil.test${terminator}text\x1b]8;;${terminator}`, 'text'],
	['a device string', `a\x1bPq#0;2;0;0;0${terminator}b`, 'ab'],
	['private messages', `a\x1b_x${terminator}b\x1b^y${terminator}c\x1bXz${terminator}d`, 'abcd'],
	['short sequences', 'a\x1bcb\x1b(0c\x1b7d', 'abcd'],
	['C1 forms', 'a\x9b31mb\x9d0;title\x9cc\x90q\x9cd', 'abcd'],
	['other control characters', 'a\rb\bc\x00d\x7fe\x85f', 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf'],
	['a line end and a tab', 'a\nb\tc', 'a\ufffdb\ufffdc'],
	['a lone escape', 'a\x1b', 'a\ufffd'],
	['a title that is never closed', 'a\x1b]0;all of this', 'a\ufffd]0;all of this'],
	['a title that a line end closes', 'a\x1b]0;b\nc', 'a\ufffd]0;b\ufffdc'],
	['a control sequence that is never closed', 'a\x1b[31', 'a\ufffd[31'],
	['a control sequence in another', 'a\x1b[3\x1b[31mb', 'a\ufffd[3b'],
	[
		'a string in another',
		`a\x1bPtmux;\x1b\x1b]52;c;eA==${bell}${terminator}b`,
		'a\ufffdPtmux;\ufffdb',
	],
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
	['half a character', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
])('%s', (_, text, safe) => {
	expect(sanitize(text)).toBe(safe);
});

test.each([
	['line ends stay', 'a\nb\n', 'a\nb\n'],
	['a tab becomes spaces', 'a\tb', 'a    b'],
	['a line end of Windows is one line end', 'a\r\nb', 'a\nb'],
	['going back to the start of a line is not a line end', 'a\rb\r\r\n', 'a\ufffdb\ufffd\n'],
])('with lines, %s', (_, text, safe) => {
	expect(sanitize(text, {lines: true})).toBe(safe);
});

test.each([
	['are kept, and reset at the end', '\x1b[1;31mred', '\x1b[1;31mred\x1b[0m'],
	['end with their line', '\x1b[38;5;200ma\nb', '\x1b[38;5;200ma\x1b[0m\nb'],
	[
		'may be of any kind',
		'\x1b[48;2;1;2;3m\x1b[0;97m\x1b[m',
		'\x1b[48;2;1;2;3m\x1b[0;97m\x1b[m\x1b[0m',
	],
	['can’t conceal or blink', '\x1b[8ma\x1b[5mb\x1b[1;8mc\x1b[38;5;8;8md', 'abcd'],
	['are the only sequences', '\x1b[2Ja\x1b[>4mb\x1b[38:5:1mc', 'abc'],
	['are bounded', `\x1b[${'1;'.repeat(50)}1ma`, 'a'],
])('colours %s', (_, text, safe) => {
	expect(sanitize(text, {lines: true, colors: true})).toBe(safe);
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

test('with colours, only colours are left, and every line ends without them', () => {
	fc.assert(
		fc.property(hostile, text => {
			for (const line of sanitize(text, {lines: true, colors: true}).split('\n')) {
				expect(line.replaceAll(/\x1b\[[\d;]*m/g, '')).not.toMatch(control);
				expect(line).toMatch(/^[^\x1b]*$|\x1b\[0m$/);
			}
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
	const start = performance.now();
	sanitize(text, {colors: true, lines: true});
	expect(performance.now() - start).toBeLessThan(5000);
});
