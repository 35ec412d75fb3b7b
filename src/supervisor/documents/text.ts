import {sanitize} from '../../lib/text/sanitize.ts';

/** Returns a text as one line of Markdown prose. */
export const inline = (text: string): string =>
	sanitize(text.toWellFormed().replace(/\s+/g, ' ').trim());

/** Returns a text as a cell of a Markdown table: in one line, and with no bar of its own. */
export const cell = (text: string): string =>
	inline(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
