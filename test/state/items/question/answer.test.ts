import {describe, expect, it, test} from 'vitest';
import {readAnswer, whyNoAnswer} from '../../../../src/state/items/question/answer.ts';
import {questionOf} from '../../../helpers/question-of.ts';

describe('an answer', () => {
	it.each([
		['yes', 'yes'],
		[' Yes\n', 'yes'],
		['Y', 'yes'],
		['n', 'no'],
		['maybe', undefined],
		['', undefined],
	])('of yes or no: %j is %s', (text, answer) => {
		expect(readAnswer(questionOf({type: 'yes-no'}), text)).toBe(answer);
	});

	it.each([
		['jwt', 'jwt'],
		['JWT', 'jwt'],
		['oauth, jwt', undefined],
		['basic', undefined],
	])('of one of several options: %s is %s', (text, answer) => {
		expect(readAnswer(questionOf({options: ['oauth', 'jwt']}), text)).toBe(answer);
	});

	it('of a question whose options differ in case only must be exact', () => {
		const question = questionOf({options: ['ID', 'id']});
		expect(readAnswer(question, 'id')).toBe('id');
		expect(readAnswer(question, 'Id')).toBeUndefined();
	});

	it('of a question that takes several is a list of them', () => {
		const question = questionOf({options: ['oauth', 'jwt', 'basic'], multi: true});
		expect(readAnswer(question, 'JWT,oauth')).toBe('jwt, oauth');
		expect(readAnswer(question, 'jwt, none')).toBeUndefined();
	});

	it('may be any words where the question takes any, but not none', () => {
		expect(readAnswer(questionOf({type: 'text', options: ['a']}), 'neither')).toBe('neither');
		expect(readAnswer(questionOf({}), ' \n')).toBeUndefined();
	});
});

test.each([
	['8080', undefined],
	[' -1.5e3\n', undefined],
	['many', '"many" is not a number.'],
	['0x10', '"0x10" is not a number.'],
	['1 2', '"1 2" is not a number.'],
])('%j as a number: %s', (text, why) => {
	expect(whyNoAnswer(questionOf({type: 'number'}), text, 'AGT-001')).toBe(why);
});

test('a number that the agent offers as an option is one', () => {
	const question = questionOf({type: 'number', options: ['as it is']});
	expect(whyNoAnswer(question, 'as it is', 'AGT-001')).toBeUndefined();
});

test.each([
	['matches', undefined],
	['differs', '"x" does not match ^v\\d+$.'],
	['too slow', 'Matching this against ^v\\d+$ takes too long; try a shorter answer.'],
	// The agent's own mistake must not keep a person from answering.
	['no pattern', undefined],
] as const)('of an answer that %s the pattern is said: %s', (match, why) => {
	const question = questionOf({type: 'regex', pattern: '^v\\d+$'});
	expect(whyNoAnswer(question, 'x', 'AGT-001', {match})).toBe(why);
});

test.each([
	['there', undefined],
	['missing', 'There is no src/x in the worktree of AGT-001.'],
	['elsewhere', 'src/x is not in the worktree of AGT-001.'],
	['not allowed', 'src/x is outside the scope of AGT-001.'],
	['forbidden', 'src/x is outside the scope of AGT-001.'],
] as const)('of a path that is %s is said: %s', (path, why) => {
	expect(whyNoAnswer(questionOf({type: 'path'}), 'src/x', 'AGT-001', {path})).toBe(why);
});
