import {expect, test} from 'vitest';
import {authorsOf} from '../../src/state/merge/members.ts';

const sides = {path: 'src/f1.ts', a: ['AGT-001'], b: ['AGT-002']} as const;
const both = ['AGT-001', 'AGT-002'];

test('who gave its change to a file up is not named as one whose work is in it', () => {
	const taken = {...sides, choice: 'choose-one', winner: ['AGT-001']} as const;
	expect(authorsOf([taken], 'src/f1.ts', both)).toEqual(['AGT-001']);
	expect(authorsOf([taken], 'src/f2.ts', both)).toEqual(both);
	expect(authorsOf([{...taken, gives: ['src/f2.ts']}], 'src/f2.ts', both)).toEqual(['AGT-001']);
	expect(authorsOf([{...taken, gives: ['src/f2.ts']}], 'src/f1.ts', both)).toEqual(both);
});

test('both are named in what was put together by hand', () => {
	expect(authorsOf([{...sides, choice: 'manual', files: []}], 'src/f1.ts', both)).toEqual(both);
});
