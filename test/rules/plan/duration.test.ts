import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatDuration, parseDuration} from '../../../src/lib/text/duration.ts';

test.each([
	['1h', 3_600_000],
	['90s', 90_000],
	['30min', 1_800_000],
	['30m', 1_800_000],
	['1h30m', 5_400_000],
	['1h 30min', 5_400_000],
	['2h5s', 7_205_000],
	['0s', 0],
])('%s is a duration', (text, durationMs) => {
	expect(parseDuration(text)).toBe(durationMs);
});

test.each([
	'',
	' ',
	'0',
	'90',
	'h',
	'1.5h',
	'-1h',
	'1h ',
	' 1h',
	'1h  30m',
	'30m1h',
	'1h1h',
	'1d',
	'1h\n',
	'9999999999999999h',
])('"%s" is none', text => {
	expect(parseDuration(text)).toBeUndefined();
});

test.each([
	[0, '0s'],
	[999, '0s'],
	[-5000, '0s'],
	[90_500, '1m30s'],
	[3_600_000, '1h'],
	[5_400_000, '1h30m'],
	[90_061_000, '25h1m1s'],
])('%d ms are written %s', (durationMs, text) => {
	expect(formatDuration(durationMs)).toBe(text);
});

test('what is written is read back, less the part of a second', () => {
	fc.assert(
		fc.property(fc.nat(), durationMs => {
			expect(parseDuration(formatDuration(durationMs))).toBe(durationMs - (durationMs % 1000));
		}),
	);
});

test('no text makes reading throw, and what is read is a whole number of seconds', () => {
	const parts = fc.array(fc.constantFrom('1', '90', 'h', 'm', 'min', 's', ' ', 'x'));
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				parts.map(list => list.join('')),
			),
			text => {
				expect((parseDuration(text) ?? 0) % 1000).toBe(0);
			},
		),
	);
});
