import type {Definition, Form} from '../definition.ts';
import {quoteDepth, ruleOf, undecorated, unquoted} from './decoration.ts';
import {createCollector, type Line, type Open, outcomeOf, unfinished} from './open.ts';

type BannerForm = Form & {readonly type: 'banner'};
type BannerDefinition = Definition & {readonly form: BannerForm};

/**
A banner from its title to the rule below it all.

The rule that ends it is drawn like the one above the title, or else below it; others are separators. Before its last section the same rule may be one too: then the next words decide. A banner whose last section was filled in needs no rule: words after an empty line end it, as another signal and the end of the stream do. Any other banner without its end is malformed, as who knows what was still to come.
*/
export const openBanner = (
	definition: BannerDefinition,
	{
		title,
		line: opener,
		ruleAbove,
	}: {readonly title: string; readonly line: Line; readonly ruleAbove: string | undefined},
	opensSignal: (line: string) => boolean,
): Open => {
	const {heading, last} = definition.form;
	const text = createCollector();
	const raw = createCollector();
	const depth = quoteDepth(opener.text);
	let rule = ruleAbove;
	let state: 'title' | 'open' | 'last section' | 'after last' | 'ruled off' | 'closed' = 'title';
	let isInLast = false;
	let isTooLong = false;

	const takeRule = (drawn: string): 'more' | {readonly last: string} => {
		if (state === 'title') {
			rule ??= drawn;
			state = 'open';
			return 'more';
		}

		if (drawn !== (rule ?? drawn)) {
			return 'more';
		}

		if (state === 'last section' || state === 'after last') {
			state = 'closed';
			return {last: ''};
		}

		state = 'ruled off';
		return 'more';
	};

	const takeWords = (words: string): 'more' | 'before' => {
		const opened = heading(words);
		if (opened === undefined && (state === 'ruled off' || state === 'after last')) {
			return 'before';
		}

		isInLast = opened === undefined ? isInLast : opened === last;
		const hasValue = opened === undefined || !/^[#*\s]*\w+[*:\s]*$/.test(words);
		state = isInLast && hasValue ? 'last section' : 'open';
		return 'more';
	};

	const take = (line: Line): 'more' | 'before' | {readonly last: string} => {
		if (opensSignal(line.text)) {
			return 'before';
		}

		const words = unquoted(line.text, depth);
		const bare = undecorated(words);
		const drawn = ruleOf(bare);
		const step = drawn === undefined ? takeLine(words, bare) : takeRule(drawn);
		if (step !== 'before') {
			raw.add(line.text);
			isTooLong = !text.add(drawn === undefined ? words : '') || line.cut || isTooLong;
		}

		return step;
	};

	const takeLine = (words: string, bare: string): 'more' | 'before' => {
		if (bare === '') {
			state = state === 'last section' ? 'after last' : state;
			return 'more';
		}

		return takeWords(words);
	};

	raw.add(opener.text);
	text.add(title);
	return {
		take,
		settle: () => {
			const all = raw.lines.join('\n');
			if (isTooLong) {
				const reason = `${definition.marker} holds more than 16 KiB.`;
				return unfinished(definition, opener.number, reason, all);
			}

			if (state === 'title' || state === 'open') {
				const reason = `${definition.marker} is not ended by a rule like the one above its title.`;
				return unfinished(definition, opener.number, reason, all);
			}

			return outcomeOf(definition, {line: opener.number, text: text.lines.join('\n'), raw: all});
		},
	};
};
