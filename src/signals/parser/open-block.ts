import type {Definition} from '../definition.ts';
import {quoteDepth, unquoted} from './decoration.ts';
import {
	type BracketMarker,
	bracketMarkerOf,
	withoutCloser,
	withoutTrailingEmphasis,
} from './markers.ts';
import {createCollector, type Line, type Open, outcomeOf, unfinished} from './open.ts';

type BlockDefinition = Definition & {readonly form: {readonly type: 'block'}};

/**
Whether an opening marker opens a block here: it stands alone on its line, or the first field or the end of the block follows it. `[STOP_WORK] is what you say when…` is a mention.
*/
export const opensBlock = ({form, marker}: BlockDefinition, {rest}: BracketMarker): boolean => {
	const words = withoutTrailingEmphasis(rest);
	const [, name = ''] = /^-? ?([a-z_]{1,40}):(?:\s|$)/.exec(words) ?? [];
	return words === '' || form.fieldNames.has(name) || withoutCloser(words, marker) !== undefined;
};

/**
A block from its opening marker to its closing one; `rest` is what follows the opening marker on its line, which the reader hands over as the first line.

It is over, and malformed, where another signal opens, where it grows beyond its limit and at the end of the stream. After the limit its lines are skipped until it is closed. Closing markers of other blocks in it are left out, so that crossed blocks cost only the one that wasn't closed.
*/
export const openBlock = (
	definition: BlockDefinition,
	opener: Line,
	rest: string,
	opensSignal: (line: string) => boolean,
	isMarker: (name: string) => boolean,
): Open => {
	const {marker} = definition;
	const body = createCollector();
	const raw = createCollector();
	const depth = quoteDepth(opener.text);
	let state: 'open' | 'closed' | 'too long' = 'open';

	const add = (text: string, rawText: string): void => {
		raw.add(rawText);
		if (!body.add(text)) {
			state = 'too long';
		}
	};

	const take: Open['take'] = line => {
		const closer = bracketMarkerOf(line.text);
		if (closer?.type === 'close' && isMarker(closer.name)) {
			return close(closer, line);
		}

		if (opensSignal(line.text)) {
			return 'before';
		}

		return state === 'open' ? takeWords(unquoted(line.text, depth), line) : 'more';
	};

	const close = (closer: BracketMarker, line: Line) => {
		if (closer.name !== marker) {
			return 'more';
		}

		if (state === 'open') {
			raw.add(line.text);
			state = 'closed';
		}

		return {last: closer.rest};
	};

	const takeWords = (words: string, line: Line) => {
		const before = withoutCloser(words, marker);
		add(before ?? words, line.text);
		if (line.cut) {
			state = 'too long';
		}

		if (before === undefined || state !== 'open') {
			return 'more';
		}

		state = 'closed';
		return {last: ''};
	};

	raw.add(rest === '' ? opener.text : `[${marker}]`);
	return {
		take,
		settle: () => {
			const text = raw.lines.join('\n');
			if (state === 'closed') {
				const whole = unfenced(body.lines).join('\n');
				return outcomeOf(definition, {line: opener.number, text: whole, raw: text});
			}

			const reason =
				state === 'open'
					? `[${marker}] is not closed by [/${marker}].`
					: `[${marker}] holds more than 16 KiB.`;
			return unfinished(definition, opener.number, reason, text);
		},
	};
};

/** Returns the lines between the fences, for a body that is all in one. */
const unfenced = (lines: readonly string[]): readonly string[] => {
	const first = lines.findIndex(line => line.trim() !== '');
	const last = lines.findLastIndex(line => line.trim() !== '');
	const isFenced = /^\s*```\w*$/.test(lines[first] ?? '') && /^\s*```$/.test(lines[last] ?? '');
	return isFenced && first < last ? lines.slice(first + 1, last) : lines;
};
