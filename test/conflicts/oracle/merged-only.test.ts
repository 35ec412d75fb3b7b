import {expect, test} from 'vitest';
import {onlyMerged} from '../../../src/conflicts/oracle/open-oracles.ts';
import type {Diagnosis} from '../../../src/conflicts/oracle/oracle.ts';

const error = (line: number, text = 'wrong'): Diagnosis => ({
	path: 'a.ts',
	line,
	code: 'TS1',
	text,
});

test('an error that only moved is not the merge’s', () => {
	expect(onlyMerged({base: [error(1)], a: [error(1)], b: [error(3)], merged: [error(4)]})).toEqual(
		[],
	);
});

test('what both sides added of the same error adds up', () => {
	const told = {base: [error(1)], a: [error(1), error(2)], b: [error(1), error(5)]};
	expect(onlyMerged({...told, merged: [error(1), error(2), error(6)]})).toEqual([]);
	expect(onlyMerged({...told, merged: [error(1), error(2), error(6), error(9)]})).toEqual([
		error(9),
	]);
});

test('an error that a side removed and the merge has again is only as many as the base had', () => {
	expect(onlyMerged({base: [error(1)], a: [], b: [error(1)], merged: [error(1)]})).toEqual([]);
});

test('another text is another error', () => {
	const other = error(1, 'worse');
	expect(onlyMerged({base: [error(1)], a: [error(1)], b: [error(1)], merged: [other]})).toEqual([
		other,
	]);
});
