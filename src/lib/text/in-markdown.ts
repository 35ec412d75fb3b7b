import {sanitize} from './sanitize.ts';

export type InMarkdownOptions = {
	/** Keeps the stars of path patterns, for files that programs read. */
	readonly globs?: boolean;
};

/**
Returns someone else's text as one line of Markdown without any markup: no HTML, image, link or emphasis.

A viewer fetches images and turns bare addresses into links, so addresses are broken up as well. An underscore within a word has no meaning and stays, as in most file names.
*/
export const inMarkdown = (text: string, {globs = false}: InMarkdownOptions = {}): string =>
	sanitize(text.toWellFormed().replaceAll(/\s+/g, ' ').trim())
		.replaceAll(globs ? markupButGlobs : markup, '\\$&')
		.replaceAll(address, '$&\\');

const always = '[\\\\`<>[\\]#&~]|(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])';
const markupButGlobs = new RegExp(always, 'gu');
const markup = new RegExp(`${always}|\\*`, 'gu');

/** Beginnings of addresses that viewers recognize, up to a character that can be escaped. */
const address = /(?:https?|ftp|mailto|xmpp)(?=:)|www(?=\.)|[\w.+-](?=@[\w-])/gi;

/** Returns the same as a table cell. */
export const inMarkdownCell = (text: string): string => inMarkdown(text).replaceAll('|', '\\|');
