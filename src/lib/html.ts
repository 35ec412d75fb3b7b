import {sanitize} from './text/sanitize.ts';

/** Markup with all text escaped; only `html` and `shipped` create it. */
export type Html = {readonly [made]: string};

const made: unique symbol = Symbol('made by html');

/** A value in a template; `undefined` and `false` print nothing. */
export type HtmlPart = string | number | Html | false | undefined | readonly HtmlPart[];

/** Creates markup from a template: strings are escaped and sanitized, markup stays. Only for content of elements and attributes in double quotes, never for a script, a style or a tag's name. */
export const html = (texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
	shipped(String.raw({raw: texts}, ...parts.map(markup)));

/** Converts text to markup without escaping it. Only for text that ships with the program. */
export const shipped = (text: string): Html => ({[made]: text});

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

/** `Array.isArray` doesn't narrow readonly arrays. */
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
