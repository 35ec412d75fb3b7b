import {sanitize} from './sanitize.ts';

export type InMarkdownOptions = {
	/** Keeps the stars of path patterns, where programs read them. */
	readonly globs?: boolean;
};

/**
Returns words of others on one line of Markdown, in which none of them is markup: no HTML, no picture, no link and no emphasis.

A viewer fetches a picture and turns a bare address into a link, so addresses are broken as well. An underscore within a word means nothing and stays, as it does in most names of files.
*/
export const inMarkdown = (text: string, {globs = false}: InMarkdownOptions = {}): string =>
	sanitize(text.toWellFormed().replaceAll(/\s+/g, ' ').trim())
		.replaceAll(globs ? markupButGlobs : markup, '\\$&')
		.replaceAll(address, '$&\\');

const always = '[\\\\`<>[\\]#&~]|(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])';
const markupButGlobs = new RegExp(always, 'gu');
const markup = new RegExp(`${always}|\\*`, 'gu');

/** What addresses that viewers recognize begin with, up to a sign that can be escaped. */
const address = /(?:https?|ftp|mailto|xmpp)(?=:)|www(?=\.)|[\w.+-](?=@[\w-])/gi;

/** Returns the same as a cell of a table. */
export const inMarkdownCell = (text: string): string => inMarkdown(text).replaceAll('|', '\\|');
