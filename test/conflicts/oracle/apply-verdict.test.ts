import {expect, test} from 'vitest';
import type {Finding} from '../../../src/conflicts/finding.ts';
import {applyVerdict} from '../../../src/conflicts/oracle/open-oracles.ts';
import type {Diagnosis, MergedLines} from '../../../src/conflicts/oracle/oracle.ts';

const call = 'add(3);';
const declaration = 'export const add = (a: number, b: number) => a + b;';

const lines: MergedLines = {
	at: (path, line) => (path === 'src/use.ts' && line === 9 ? `\t${call}` : ''),
	a: [
		{path: 'src/add.ts', line: 1, text: 'export const other = 1;', removed: false},
		{path: 'src/add.ts', line: 2, text: declaration, removed: false},
	],
	b: [{path: 'src/use.ts', line: 7, text: `\t${call}`, removed: false}],
};

const found: Finding = {
	type: 'API_CONFLICT',
	rule: 'A2',
	path: 'src/use.ts',
	key: 'A2 src/use.ts add',
	blocking: false,
	confidence: 'medium',
	summary: 'add takes 2 arguments now.',
	evidence: [
		{side: 'a', path: 'src/add.ts', line: 2, text: declaration},
		{side: 'b', path: 'src/use.ts', line: 7, text: call},
	],
};

const error: Diagnosis = {
	path: 'src/use.ts',
	line: 9,
	code: 'TS2554',
	text: 'Expected 2 arguments, but got 1.',
};

const covered = new Set(['src/add.ts', 'src/use.ts']);
const by = 'TypeScript 7.0.2';

test('a finding whose line is wrong to the checker, too, is confirmed and blocks', () => {
	expect(applyVerdict([found], {by, errors: [error], covered}, lines)).toEqual([
		{
			...found,
			blocking: true,
			confidence: 'high',
			confirmed: {by, text: 'TS2554: Expected 2 arguments, but got 1.'},
		},
	]);
});

test('so is one that shows another line, but names what the error names', () => {
	const gone: Finding = {...found, type: 'IMPORT_CONFLICT', rule: 'I2', key: 'I2 src/use.ts add'};
	const text = "Module './add' has no exported member 'add'.";
	const [settled, ...others] = applyVerdict(
		[gone],
		{by, errors: [{...error, line: 1, code: 'TS2305', text}], covered},
		lines,
	);
	expect(others).toEqual([]);
	expect(settled?.confirmed?.text).toBe(`TS2305: ${text}`);
});

test('a finding that the checker is silent about becomes a note, where it read both files', () => {
	const blocking: Finding = {...found, blocking: true};
	const silent = {by, errors: []};
	expect(applyVerdict([blocking], {...silent, covered}, lines)).toEqual([
		{...found, blocking: false, confidence: 'low'},
	]);
	expect(applyVerdict([blocking], {...silent, covered: new Set(['src/use.ts'])}, lines)).toEqual([
		blocking,
	]);
});

test('what only the checker finds is added with the lines of both sides', () => {
	const added = applyVerdict([], {by, errors: [error], covered}, {...lines, a: lines.a.slice(1)});
	expect(added).toEqual([
		{
			type: 'API_CONFLICT',
			rule: 'A6',
			path: 'src/use.ts',
			key: 'A6 src/use.ts TS2554 Expected 2 arguments, but got 1.',
			blocking: true,
			confidence: 'high',
			summary: 'Together they break src/use.ts: Expected 2 arguments, but got 1.',
			evidence: [
				{side: 'a', path: 'src/add.ts', line: 2, text: declaration},
				{side: 'b', path: 'src/use.ts', line: 7, text: `\t${call}`},
			],
			confirmed: {by, text: 'TS2554: Expected 2 arguments, but got 1.'},
		},
	]);
});

test('of the lines of a side that did not write the wrong one, that with the most words of it is shown', () => {
	const [finding] = applyVerdict([], {by, errors: [error], covered}, lines);
	expect(finding?.evidence[0]).toMatchObject({path: 'src/add.ts', text: declaration});
});

test('a syntax error is git’s merge gone wrong, and a missing module an import', () => {
	const types = [
		{...error, code: 'TS1005'},
		{...error, code: 'TS2307'},
		{...error, code: 'TS2305'},
		{...error, code: ''},
	].map(one => applyVerdict([], {by, errors: [one], covered}, lines)[0]);
	expect(types.map(finding => [finding?.type, finding?.rule])).toEqual([
		['FILE_CONFLICT', 'F3'],
		['IMPORT_CONFLICT', 'I1'],
		['IMPORT_CONFLICT', 'I2'],
		['API_CONFLICT', 'A6'],
	]);
	expect(types.at(-1)?.confirmed?.text).toBe('Expected 2 arguments, but got 1.');
});

test('what collides in text is git’s to say', () => {
	const text: Finding = {
		...found,
		type: 'FILE_CONFLICT',
		kind: 'content',
		rule: 'F1',
		blocking: true,
	};
	expect(applyVerdict([text], {by, errors: [], covered}, lines)).toEqual([text]);
});
