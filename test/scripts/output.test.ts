import {styledCharsFromTokens, tokenize} from '@alcalzone/ansi-tokenize';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import Original from '../../node_modules/ink/build/output.js';
import Output from '../../scripts/bundle/output.ts';

const size = {width: 12, height: 4};

const pieces = ['a', ' b', '漢', '👍🏽', '\u001B[1mc \u001B[22m', '\u001B[31md\u001B[39m'];

const texts = fc
	.tuple(
		fc.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 12}),
		fc.constantFrom('', '', '', '\na'),
	)
	.map(([parts, end]) => parts.join('') + end);

const writes = fc.array(
	fc.tuple(fc.constantFrom(0, 0, 0, 0, 3), fc.integer({min: 0, max: size.height}), texts),
	{maxLength: 3},
);

const whole = {x1: 0, y1: 0, x2: size.width, y2: size.height};
const clips = fc.constantFrom(
	undefined,
	whole,
	{...whole, x1: 2},
	{...whole, y1: 1},
	{...whole, x2: 5},
	{...whole, y2: 2},
	{x1: 2, y1: undefined, x2: undefined, y2: undefined},
);

/** Returns the characters of each row with their styles; how a text changes between these makes no difference. */
const seen = ({output, height}: ReturnType<Original['get']>) => ({
	height,
	rows: output
		.split('\n')
		.map(row => styledCharsFromTokens(tokenize(row)).map(({value, styles}) => ({value, styles}))),
});

describe('the output that stands in for that of Ink', () => {
	test('looks the same, for whole rows and for anything else', () => {
		const transformers = [(text: string) => text.replaceAll('a', 'A')];
		fc.assert(
			fc.property(writes, clips, (writes, clip) => {
				const [own, original] = [Output, Original].map(Kind => {
					const output = new Kind(size);
					if (clip !== undefined) {
						output.clip(clip);
					}

					for (const [x, y, text] of writes) {
						output.write(x, y, text, {transformers});
					}

					return output.get();
				});
				expect(own && seen(own)).toEqual(original && seen(original));
			}),
			{numRuns: 500},
		);
	});

	test('leaves the texts of whole rows as they are', () => {
		const output = new Output(size);
		const text = '\u001B[1m\u001B[31mabc\u001B[39m\u001B[22m';
		output.write(0, 1, text, {transformers: []});
		expect(output.get()).toEqual({output: `\n${text}\n\n`, height: size.height});
	});
});
