import type {Definition, SignalForm} from '../definition.ts';
import {
	type BracketMarker,
	bracketMarkerOf,
	labelOf,
	quoteDepth,
	ruleOf,
	undecorated,
	unemphasized,
	unquoted,
	withoutCloser,
	withoutTrailingEmphasis,
} from './decoration.ts';
import {
	createCollector,
	type DefinitionOf,
	type Line,
	type Open,
	openLine,
	opensTable,
	openTable,
	outcomesOf,
	type Tail,
	wrappedTail,
} from './open.ts';

/** The signal or envelope that a line opens. `left` is the rest of the line, to be taken first; `whole`: it needs no further line, but `tail` may take some. */
export type Opened = {
	readonly open: Open;
	readonly left?: Line;
	readonly whole?: true;
	readonly tail?: Tail;
};

/** Returns the form that a line opens, if any; `text` is the line without decoration, and not empty. */
export type Opening = (
	line: Line,
	text: string,
	ruleAbove: string | undefined,
) => Opened | undefined;

/** Returns the function that maps first lines to these signals; nothing else does. */
export const createOpening = (definitions: readonly Definition[]): Opening => {
	const blocks = definitions.filter(isA('block'));
	const banners = definitions.filter(isA('banner'));
	const objects = definitions.filter(isA('object'));
	const tables = definitions.filter(isA('table'));
	const lines = new Map(
		[...definitions.filter(isA('line')), ...definitions.filter(isA('word'))].map(definition => [
			definition.marker,
			definition,
		]),
	);
	const blockMarkers = new Set(blocks.map(({marker}) => marker));
	const isBlockMarker = (name: string): boolean => blockMarkers.has(name);

	const blockAt = (line: string) => {
		const marker = bracketMarkerOf(line);
		const definition = blocks.find(each => each.marker === marker?.name);
		return marker?.type === 'open' && definition !== undefined && opensBlock(definition, marker)
			? {definition, rest: marker.rest}
			: undefined;
	};

	const bannerAt = (line: string) => {
		const text = withoutRules(unemphasized(undecorated(line)).text);
		const definition = banners.find(({marker}) => text.startsWith(`${marker}:`));
		return definition === undefined
			? undefined
			: {
					definition,
					title: withoutTrailingEmphasis(text.slice(definition.marker.length + 1)).trim(),
				};
	};

	const opensSignal = (line: string): boolean =>
		blockAt(line) !== undefined || bannerAt(line) !== undefined;

	const openMarked = (line: Line, ruleAbove: string | undefined): Opened | undefined => {
		const block = blockAt(line.text);
		if (block !== undefined) {
			const {definition, rest} = block;
			const open = openBlock(definition, line, rest, opensSignal, isBlockMarker);
			return rest === '' ? {open} : {open, left: {...line, text: rest}};
		}

		const banner = bannerAt(line.text);
		return (
			banner && {open: openBanner(banner.definition, {...banner, line, ruleAbove}, opensSignal)}
		);
	};

	const openLabelled = (line: Line, text: string): Opened | undefined => {
		const word = withoutTrailingEmphasis(unemphasized(text).text);
		const labelled =
			lines.get(word)?.form.type === 'word' ? {label: word, value: ''} : labelOf(text);
		const definition = labelled && lines.get(labelled.label);
		if (labelled === undefined || definition === undefined) {
			return undefined;
		}

		const open = openLine(definition, labelled, line);
		if (hasFollowers(definition)) {
			return {open};
		}

		return isWrapping(definition)
			? {open, whole: true, tail: wrappedTail(definition, labelled, line, opensAny)}
			: {open, whole: true};
	};

	const openBraced = (line: Line, text: string): Opened | undefined => {
		const [definition] = objects;
		return definition && {open: openObject(definition, line, opensSignal), left: {...line, text}};
	};

	const openTabled = (line: Line, text: string): Opened | undefined => {
		const definition = tables.find(each => opensTable(each, text));
		return definition && {open: openTable(definition, line)};
	};

	const opening: Opening = (line, text, ruleAbove) => {
		if (text.startsWith('{')) {
			return openBraced(line, text);
		}

		if (text.startsWith('|')) {
			return openTabled(line, text);
		}

		return openLabelled(line, text) ?? openMarked(line, ruleAbove);
	};

	const opensAny = (line: Line): boolean =>
		opening(line, undecorated(line.text), undefined) !== undefined;

	return opening;
};

const isA =
	<Type extends SignalForm['type']>(type: Type) =>
	(definition: Definition): definition is DefinitionOf<Type> =>
		definition.form.type === type;

/** Removes rules around a title: `═══ AGENT CHECKPOINT: AGT-001 ═══`. */
const withoutRules = (title: string): string =>
	title.replace(/^[═=─━—-]{3,80}\s+/, '').replace(/\s[═=─━—-]{3,80}$/, '');

const isWrapping = (definition: Definition): definition is DefinitionOf<'line'> =>
	definition.form.type === 'line' && definition.form.wraps;

const hasFollowers = ({form}: Definition): boolean =>
	form.type === 'line' && form.followers.size > 0;

/**
Opens a JSON object, from its brace to the closing one.

Most objects in a transcript are no result, so there is no signal unless the definition claims the text; and it ends at the first line that can't be JSON, so that a stray brace swallows no words.
*/
const openObject = (
	definition: DefinitionOf<'object'>,
	opener: Line,
	opensSignal: (line: string) => boolean,
): Open => {
	const collector = createCollector();
	const depth = quoteDepth(opener.text);
	const braces = createBraceCounter();
	let state: 'open' | 'closed' | 'too long' = 'open';

	const take = (line: Line): ReturnType<Open['take']> => {
		const words = unquoted(line.text, depth);
		if (!JSON_LINE.test(words) || opensSignal(line.text)) {
			return 'before';
		}

		const end = braces.endOf(words);
		const isRoom = collector.add(end === -1 ? words : words.slice(0, end));
		if (!isRoom || line.cut) {
			state = 'too long';
		}

		if (end === -1) {
			return 'more';
		}

		state = state === 'open' ? 'closed' : state;
		return {last: words.slice(end).trim()};
	};

	return {
		take,
		settle: () => {
			const text = collector.lines.join('\n');
			const lacks = {
				open: 'The result is not closed by "}".',
				closed: undefined,
				'too long': 'The result holds more than 16 KiB.',
			};
			return definition.form.claims(text)
				? outcomesOf(definition, {line: opener.number, text, lack: lacks[state]})
				: [];
		},
	};
};

/** Matches the start of a line of JSON, but not a list item of prose. */
const JSON_LINE = /^\s*(?:["{}[\],]|-?\d[\d.eE+-]*\s*(?:[,\]}]|$)|(?:true|false|null)\b|$)/;

/** Returns a counter of braces and brackets outside of strings; a JSON string does not continue over lines. */
const createBraceCounter = () => {
	let depth = 0;
	return {
		/** Returns the index after the brace that closes the first one, or -1. */
		endOf: (line: string): number => {
			let isInString = false;
			for (let at = 0; at < line.length; at += 1) {
				const character = line.charAt(at);
				if (character === '"') {
					isInString = !isInString;
				} else if (isInString) {
					at += character === '\\' ? 1 : 0;
				} else if (character === '{' || character === '[') {
					depth += 1;
				} else if (character === '}' || character === ']') {
					depth -= 1;
					if (depth <= 0) {
						return at + 1;
					}
				}
			}

			return -1;
		},
	};
};

/**
Opens a banner, from its title to the final rule.

The final rule looks like the one above the title, or else below it; others are separators. Before the last section the same rule may be a separator, too: then the next words decide. A banner with a filled last section needs no rule: it ends at words after an empty line, at another signal or at the end of the stream. Any other banner without its end is malformed, since more sections may be missing.
*/
const openBanner = (
	definition: DefinitionOf<'banner'>,
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
			const isOpen = state === 'title' || state === 'open';
			const lack = isTooLong
				? 'holds more than 16 KiB.'
				: isOpen
					? 'is not ended by a rule like the one above its title.'
					: undefined;
			return outcomesOf(definition, {
				line: opener.number,
				text: text.lines.join('\n'),
				raw: raw.lines.join('\n'),
				lack: lack && `${definition.marker} ${lack}`,
			});
		},
	};
};

/** Returns whether an opening marker opens a block here: it is alone on its line, or followed by the first field or the end of the block. `[STOP_WORK] is what you say when…` is a mention. */
const opensBlock = ({form, marker}: DefinitionOf<'block'>, {rest}: BracketMarker): boolean => {
	const words = withoutTrailingEmphasis(rest);
	const [, name = ''] = /^-? ?([a-z_]{1,40}):(?:\s|$)/.exec(words) ?? [];
	return words === '' || form.fieldNames.has(name) || withoutCloser(words, marker) !== undefined;
};

/**
Opens a block, from its opening marker to its closing one; `rest` is the text after the opening marker on its line, which the reader passes as the first line.

It ends as malformed if another signal opens, if it exceeds its limit, or at the end of the stream. After the limit its lines are skipped until it is closed. Closing markers of other blocks in it are ignored, so that crossed blocks cost only the one that wasn't closed.
*/
const openBlock = (
	definition: DefinitionOf<'block'>,
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
			const lacks = {
				open: `[${marker}] is not closed by [/${marker}].`,
				closed: undefined,
				'too long': `[${marker}] holds more than 16 KiB.`,
			};
			return outcomesOf(definition, {
				line: opener.number,
				text: unfenced(body.lines).join('\n'),
				raw: raw.lines.join('\n'),
				lack: lacks[state],
			});
		},
	};
};

/** Returns the lines between the fences, if the whole body is in one. */
const unfenced = (lines: readonly string[]): readonly string[] => {
	const first = lines.findIndex(line => line.trim() !== '');
	const last = lines.findLastIndex(line => line.trim() !== '');
	const isFenced = /^\s*```\w*$/.test(lines[first] ?? '') && /^\s*```$/.test(lines[last] ?? '');
	return isFenced && first < last ? lines.slice(first + 1, last) : lines;
};
