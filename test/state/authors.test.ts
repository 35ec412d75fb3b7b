import {expect, test} from 'vitest';
import {authorsOf, leftOutIn} from '../../src/state/merge/members.ts';

const sides = {path: 'src/f1.ts', a: ['AGT-001'], b: ['AGT-002']} as const;
const both = ['AGT-001', 'AGT-002'];

test('who gave its change to a file up is not named as one whose work is in it', () => {
	const taken = {...sides, choice: 'choose-one', winner: ['AGT-001']} as const;
	expect(authorsOf(leftOutIn([taken]), 'src/f1.ts', both)).toEqual(['AGT-001']);
	expect(authorsOf(leftOutIn([taken]), 'src/f2.ts', both)).toEqual(both);
	expect(authorsOf(leftOutIn([{...taken, gives: ['src/f2.ts']}]), 'src/f2.ts', both)).toEqual([
		'AGT-001',
	]);
	expect(authorsOf(leftOutIn([{...taken, gives: ['src/f2.ts']}]), 'src/f1.ts', both)).toEqual(both);
});

test('both are named in what was put together by hand', () => {
	expect(
		authorsOf(leftOutIn([{...sides, choice: 'manual', files: []}]), 'src/f1.ts', both),
	).toEqual(both);
});
