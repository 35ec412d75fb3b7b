import type {Detector} from '../detector.ts';
import {findByNames, type Rules} from './rule.ts';
import {testOfChanged} from './test-of-changed.ts';

/** Finds tests of what the other side changed; whether they fail only a run can tell. */
export const testConflicts: Detector<'TEST_CONFLICT'> = {
	type: 'TEST_CONFLICT',
	rules: ['T2'],
	find: async comparison =>
		(await findByNames(comparison, rules)).map(found => ({type: 'TEST_CONFLICT', ...found})),
};

const rules: Rules<'TEST_CONFLICT'> = {directed: [testOfChanged], mutual: []};
