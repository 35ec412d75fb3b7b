import {expect, test} from 'vitest';
import type {Question} from '../../../../src/signals/index.ts';
import {quickWaitMs} from '../../../../src/state/items/question/wait.ts';
import {questionOf} from '../../../helpers/question-of.ts';

const minutes = (question: Question, {quick = 5, count = 1} = {}): number =>
	quickWaitMs(question, {quickMs: quick * 60_000, count}) / 60_000;

test.each([
	['yes or no', {type: 'yes-no'}, 2],
	['some short options', {options: ['oauth', 'jwt']}, 2],
	['several of them', {options: ['oauth', 'jwt'], multi: true}, 5],
	['more options', {options: ['a', 'b', 'c', 'd', 'e']}, 5],
	['any text', {type: 'text'}, 5],
	['the design of something', {question: 'Which schema for orders?', options: ['a', 'b']}, 7],
	['options that are whole sentences', {options: ['x'.repeat(81), 'no']}, 7],
	['what it says, in words', {type: 'yes-no', default_wait: '90s'}, 1.5],
	['what it says, in a number of seconds', {default_wait: 30}, 0.5],
	['what it says, written out', {default_wait: '3 minutes'}, 3],
	['at most eight minutes', {default_wait: '1h'}, 8],
	['not at all where it says so', {default_wait: 0}, 0],
	['the usual time where what it says is no time', {default_wait: 'a while'}, 5],
] as const)('%s is waited for %#', (_, about, expected) => {
	expect(minutes(questionOf(about))).toBe(expected);
});

test('several questions at once take longer than one', () => {
	expect(minutes(questionOf({type: 'yes-no'}), {count: 2})).toBe(7);
});

test('the config makes all waits shorter or longer, but none longer than eight minutes', () => {
	expect(minutes(questionOf({type: 'yes-no'}), {quick: 1})).toBe(0.4);
	expect(minutes(questionOf({}), {quick: 8, count: 2})).toBe(8);
});

test('where the config says to wait for nobody, no agent can wait', () => {
	expect(minutes(questionOf({default_wait: '5m'}), {quick: 0})).toBe(0);
});
