import {sanitize} from './text/sanitize.ts';

/** Markup in which every word of others is escaped: nothing but `html` and `shipped` makes it. */
export type Html = {readonly [made]: string};

const made: unique symbol = Symbol('made by html');

/** What a template may hold; nothing stands for what is absent. */
export type HtmlPart = string | number | Html | false | undefined | readonly HtmlPart[];

/**
Makes markup of a template. Strings in it are escaped, and what they would hide is spelled out; markup stays markup.

Good in elements and in attributes within double quotes, and nowhere else: not in a script, a style or a tag's name.
*/
export const html = (texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
	shipped(String.raw({raw: texts}, ...parts.map(markup)));

/** Takes text for markup as it stands. Only for what ships with the program. */
export const shipped = (text: string): Html => ({[made]: text});

/** Returns the text of markup, to be sent or written. */
export const htmlText = (page: Html): string => page[made];

const markup = (part: HtmlPart): string => {
	if (part === undefined || part === false) {
		return '';
	}

	if (typeof part === 'number') {
		return `${part}`;
	}

	if (typeof part === 'string') {
		return escaped(part);
	}

	return isList(part) ? part.map(markup).join('') : part[made];
};

/** `Array.isArray` forgets that a list can be one that nobody may change. */
const isList = (part: Html | readonly HtmlPart[]): part is readonly HtmlPart[] =>
	Array.isArray(part);

const escaped = (text: string): string =>
	sanitize(text, {lines: true}).replaceAll(/[&<>"']/g, sign => signs[sign] ?? '');

const signs: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};
