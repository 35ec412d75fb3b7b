import {expect, test} from 'vitest';
import {ownErrors} from '../../../src/conflicts/oracle/typescript.ts';

const error = (code: string, text: string) => ({path: 'a.ts', line: 1, code, text});
const wrong = error('TS2322', "Type 'number' is not assignable to type 'string'.");
const unread = error('TS1109', 'Expression expected.');

test.each([
	error('TS2307', "Cannot find module 'zod' or its corresponding type declarations."),
	error('TS2591', "Cannot find name 'node:fs'. Do you need to install type definitions for node?"),
	error('TS7026', "JSX element implicitly has type 'any'."),
])('where a package is missing, only the syntax is certain: $text', missing => {
	expect(ownErrors([missing, wrong, unread])).toEqual([unread]);
});

test('a file of its own that is missing is its own fault', () => {
	expect(ownErrors([error('TS2307', "Cannot find module './gone'."), wrong])).toBeUndefined();
});
