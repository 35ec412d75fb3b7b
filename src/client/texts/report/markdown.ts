import {printTable} from '../../../lib/text/markdown-table.ts';
import {sanitize} from '../../../lib/text/sanitize.ts';
import type {Fact, Table, Words} from './parts.ts';

/** Returns words on one line, where none of them is Markdown or HTML. */
export const markdown = (words: Words): string =>
	typeof words === 'string'
		? inline(words)
		: words.map(part => (typeof part === 'string' ? inline(part) : code(part.code))).join('');

export const markdownTable = ({head, rows}: Table): string =>
	printTable([head, ...rows.map(cells => cells.map(markdown))]);

/** Returns a line for each value of each fact. */
export const markdownFacts = (facts: readonly Fact[]): string =>
	facts
		.flatMap(({name, values}) => values.map(value => `- ${name}: ${markdown(value)}\n`))
		.join('');

const inline = (text: string): string =>
	sanitize(text.replaceAll(/\s*\n\s*/g, ' ')).replaceAll(/[\\`*_<>[\]#&]/g, '\\$&');

/** In code nothing has a meaning but the mark around it. */
const code = (text: string): string =>
	text.includes('`') ? inline(text) : `\`${sanitize(text)}\``;
