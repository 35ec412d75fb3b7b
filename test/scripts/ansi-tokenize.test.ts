import * as original from '@alcalzone/ansi-tokenize';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {styledCharsFromTokens, tokenize} from '../../scripts/bundle/ansi-tokenize.ts';

const texts = fc
	.array(
		fc.constantFrom(
			'a',
			' ',
			'漢',
			'👍🏽',
			'\n',
			'\u001B[1m',
			'\u001B[22m',
			'\u001B[31m',
			'\u001B[0m',
		),
		{maxLength: 20},
	)
	.map(parts => parts.join(''));

describe('the tokens that stand in for those of ansi-tokenize', () => {
	test('are the same, asked for once or again', () => {
		fc.assert(
			fc.property(texts, text => {
				const wanted = original.tokenize(text);
				for (const tokens of [tokenize(text), tokenize(text)]) {
					expect(tokens).toEqual(wanted);
					expect(styledCharsFromTokens(tokens)).toEqual(original.styledCharsFromTokens(wanted));
				}
			}),
		);
	});

	test('are the same when only a part is asked for', () => {
		tokenize('abc');
		expect(tokenize('abc', 2)).toEqual(original.tokenize('abc', 2));
	});

	test('are kept for texts that come again, and for no more than some thousand others', () => {
		const first = tokenize('first');
		expect(tokenize('first')).toBe(first);
		for (let other = 0; other < 5000; other++) {
			tokenize(`other ${other}`);
		}

		expect(tokenize('first')).not.toBe(first);
		expect(tokenize('first')).toEqual(first);
	});
});
