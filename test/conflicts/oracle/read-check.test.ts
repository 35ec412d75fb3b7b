import {expect, test} from 'vitest';
import {readCheck} from '../../../src/conflicts/oracle/command/own-check.ts';

const paths = ['src/cart.ts', 'geo/shapes.go', 'app/(shop)/page.tsx'];

test.each([
	[
		'src/cart.ts:3:5 - error TS2554: Expected 2 arguments.',
		'src/cart.ts 3 TS2554 Expected 2 arguments.',
	],
	[
		'src/cart.ts(3,5): error TS2554: Expected 2 arguments.',
		'src/cart.ts 3 TS2554 Expected 2 arguments.',
	],
	['src/cart.ts:3: error: Name "x" is not defined', 'src/cart.ts 3  Name "x" is not defined'],
	['./geo/shapes.go:7:9: undefined: Area', 'geo/shapes.go 7  undefined: Area'],
	['\x1b[31msrc/cart.ts:3:5\x1b[0m: no', 'src/cart.ts 3  no'],
	['/tmp/tree/src/cart.ts:3:5: no', 'src/cart.ts 3  no'],
])('%j is an error', (line, told) => {
	const [error] = readCheck(line, paths);
	expect(error && `${error.path} ${error.line} ${error.code} ${error.text}`).toBe(told);
});

test.each([
	'src/cart.ts:3:5: warning: unused',
	'src/other.ts:3:5: error: no',
	'Found 3 errors in 2 files.',
	'12:30:05 starting',
	'',
	'x'.repeat(100_000),
])('%.40j is none', line => {
	expect(readCheck(line, paths)).toEqual([]);
});
