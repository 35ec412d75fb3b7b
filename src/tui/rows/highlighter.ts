import {basename, extname} from 'node:path';
import {createContext, Script} from 'node:vm';
import {common, createLowlight} from 'lowlight';
import type {Tone} from './row.ts';

/** A part of a line by its syntax, in UTF-16 units of the line. */
export type SyntaxToken = {
	readonly from: number;
	readonly end: number;
	readonly tone: Extract<Tone, 'comment' | 'keyword' | 'string' | 'constant'>;
};

/** Returns the tokens of each of some lines that follow each other in a file; none where its language isn't known. */
export type Highlight = (
	path: string,
	lines: readonly string[],
) => readonly (readonly SyntaxToken[])[] | undefined;

/**
Returns a function that finds the tokens of lines by grammars of highlight.js, which go by the ending of the path.

A grammar is a set of regular expressions, and some text makes those take for ever. An agent may have written it, so a language that has taken too long three times is left alone from then on: a machine that is busy for a moment takes no colours away.
*/
export const createHighlight = (
	grammars: typeof common = common,
	/** Milliseconds for a hundred lines, which take 10 as a rule. */
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
			// A grammar is compiled with its first text, which the agent has no part in.
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

/** A longer line was generated, and is not read word by word. */
const longest = 400;

/** Grammars know the endings of their files as other names of theirs; these are the ones that they lack. */
const alike = new Map([
	['mdx', 'md'],
	['pyi', 'py'],
	['svelte', 'xml'],
	['vue', 'xml'],
	['zon', 'json'],
]);

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>;

type Node = Root['children'][number];

/** Only V8 itself can end a regular expression, and does so where code runs in a context. */
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

/** Classes are `hljs-title` and then, for some, `class_`: the later one says more. */
const toneOf = (classes: unknown): SyntaxToken['tone'] | undefined =>
	Array.isArray(classes)
		? classes.map(name => tones[String(name).replace(/^hljs-/, '')]).findLast(Boolean)
		: undefined;
