import {basename, extname} from 'node:path';
import {createContext, Script} from 'node:vm';
import {common, createLowlight} from 'lowlight';
import type {Tone} from './row.ts';

/** A token in a line, in UTF-16 code units. */
export type SyntaxToken = {
	readonly from: number;
	readonly end: number;
	readonly tone: Extract<Tone, 'comment' | 'keyword' | 'string' | 'constant'>;
};

/** Returns the tokens of consecutive lines of a file; nothing if its language isn't known. */
export type Highlight = (
	path: string,
	lines: readonly string[],
) => readonly (readonly SyntaxToken[])[] | undefined;

/**
Returns a function that tokenizes lines with the highlight.js grammar of the path's extension.

A grammar is a set of regular expressions, some of which never end on certain texts. An agent may have written such a text, so a language that has timed out three times is not highlighted any more: one timeout on a busy machine must not remove the colours.
*/
export const createHighlight = (
	grammars: typeof common = common,
	/** Time limit for a hundred lines, in milliseconds; 10 is usual. */
	patienceMs = 100,
): Highlight => {
	const lowlight = createLowlight(grammars);
	const overruns = new Map<string, number>();
	return (path, lines) => {
		const ending = (extname(path).slice(1) || basename(path)).toLowerCase();
		const language = alike.get(ending) ?? ending;
		const before = overruns.get(language);
		if (before === mostOverruns || !lowlight.registered(language)) {
			return undefined;
		}

		if (before === undefined) {
			// Compile the grammar beforehand, so that the time limit measures only the text.
			lowlight.highlight(language, '');
			overruns.set(language, 0);
		}

		const text = lines.map(line => (line.length > longest ? '' : line)).join('\n');
		try {
			return tokensIn(within(patienceMs, () => lowlight.highlight(language, text)));
		} catch {
			overruns.set(language, (before ?? 0) + 1);
			return undefined;
		}
	};
};

const mostOverruns = 3;

/** Maximum length of a line: longer ones are generated, and not read word by word. */
const longest = 400;

/** File extensions that the grammars don't list as aliases. */
const alike = new Map([
	['mdx', 'md'],
	['pyi', 'py'],
	['svelte', 'xml'],
	['vue', 'xml'],
	['zon', 'json'],
]);

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>;

type Node = Root['children'][number];

/** Context in which V8 can stop a regular expression, which nothing else can. */
const context = createContext({call: undefined as (() => Root) | undefined});
const script = new Script('call()');

const within = (timeout: number, call: () => Root): Root => {
	context.call = call;
	return script.runInContext(context, {timeout}) as Root;
};

const tokensIn = ({children}: Root): readonly (readonly SyntaxToken[])[] => {
	const lines: SyntaxToken[][] = [[]];
	let at = 0;
	const put = (nodes: readonly Node[], tone: SyntaxToken['tone'] | undefined): void => {
		for (const node of nodes) {
			if (node.type === 'element') {
				put(node.children, toneOf(node.properties.className) ?? tone);
			} else if (node.type === 'text') {
				for (const [index, piece] of node.value.split('\n').entries()) {
					if (index > 0) {
						lines.push([]);
						at = 0;
					}

					if (tone !== undefined && piece !== '') {
						lines.at(-1)?.push({from: at, end: at + piece.length, tone});
					}

					at += piece.length;
				}
			}
		}
	};

	put(children, undefined);
	return lines;
};

const tones: Readonly<Record<string, SyntaxToken['tone']>> = {
	comment: 'comment',
	quote: 'comment',
	doctag: 'comment',
	keyword: 'keyword',
	'selector-tag': 'keyword',
	tag: 'keyword',
	name: 'keyword',
	section: 'keyword',
	string: 'string',
	regexp: 'string',
	symbol: 'string',
	code: 'string',
	number: 'constant',
	literal: 'constant',
	built_in: 'constant',
	type: 'constant',
	class_: 'constant',
};

/** Returns the tone of classes, which are `hljs-title` and for some then `class_`: the last one is the most specific. */
const toneOf = (classes: unknown): SyntaxToken['tone'] | undefined =>
	Array.isArray(classes)
		? classes.map(name => tones[String(name).replace(/^hljs-/, '')]).findLast(Boolean)
		: undefined;
