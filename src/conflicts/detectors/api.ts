import type {Detector} from '../detector.ts';
import {changedParameters} from './changed-parameters.ts';
import {definedTwice} from './defined-twice.ts';
import {lostUse} from './lost-use.ts';
import {missingMember} from './missing-member.ts';
import {removedAndUsed} from './removed-and-used.ts';
import {findByNames, type Rules} from './rule.ts';
import {sameTwice} from './same-twice.ts';

/** Finds what one side changed in the ways to call its code while the other one began to use the old ones. */
export const apiConflicts: Detector<'API_CONFLICT'> = {
	type: 'API_CONFLICT',
	rules: ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9'],
	find: async comparison =>
		(await findByNames(comparison, rules)).map(found => ({type: 'API_CONFLICT', ...found})),
};

const rules: Rules<'API_CONFLICT'> = {
	directed: [removedAndUsed, changedParameters, missingMember, lostUse],
	mutual: [definedTwice, sameTwice],
};
