import {expect, test} from 'vitest';
import type {Mutant} from '../../scripts/mutation/report.ts';
import {judge} from '../../scripts/mutation/survivors.ts';

const place = {within: 'one', on: "return 'none';", was: "'none'", became: '""'};
const known = [{file: 'a.ts', why: 'It is so.', mutants: [place]}];

const mutant = (more: Partial<Mutant> = {}): Mutant => ({
	file: 'a.ts',
	line: 3,
	...place,
	isNoticed: false,
	...more,
});

const noticed = Array.from({length: 20}, () => mutant({line: 1, isNoticed: true}));

test('what survives where a reason stands is good', () => {
	expect(judge([...noticed, mutant()], known, 85).isGood).toBe(true);
	expect(judge([...noticed, mutant({line: 30})], known, 85).isGood).toBe(true);
});

test.each([
	['in another declaration', {within: 'other'}],
	['on another line', {on: "const kind = 'none';"}],
	['in another file', {file: 'b.ts'}],
])('the same text %s has no reason', (_, elsewhere) => {
	const {text, isGood} = judge([...noticed, mutant(), mutant(elsewhere)], known, 85);
	expect(isGood).toBe(false);
	expect(text).toContain('survived without a reason');
});

test('a reason for two places is none, and neither is one for nothing', () => {
	const twice = judge([...noticed, mutant(), mutant({line: 9})], known, 85);
	expect([twice.isGood, twice.text]).toEqual([
		false,
		expect.stringContaining('a reason for 2 places: a.ts, one'),
	]);
	expect(judge(noticed, known, 85).text).toContain('a reason for 0 places');
});
