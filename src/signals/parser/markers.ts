import {undecorated, unemphasized} from './decoration.ts';

/** A marker in square brackets, and what stands behind it on its line. */
export type BracketMarker = {
	readonly type: 'open' | 'close';
	readonly name: string;
	readonly rest: string;
};

/** Bounded everywhere, so that no line makes it slow. */
const BRACKETED = /^\\?\[ {0,8}(\/?) {0,8}([A-Za-z][A-Za-z _\\-]{0,40})\]/;

/**
Reads a marker at the start of a line, after decoration, whatever its case and with spaces or dashes for `_`: `**[ stop work ]**` is one too, and `\[STOP\_WORK\]` as Markdown escapes it. A marker in the middle of a line is a mention.
*/
export const bracketMarkerOf = (line: string): BracketMarker | undefined => {
	const {text} = unemphasized(undecorated(line));
	const [whole = '', slash, name = ''] = BRACKETED.exec(text) ?? [];
	if (whole === '') {
		return undefined;
	}

	return {
		type: slash === '/' ? 'close' : 'open',
		name: markerName(name),
		rest: text
			.slice(whole.length)
			.replace(/^[*_~:]{1,3}/, '')
			.trim(),
	};
};

/** Splits off the closing marker that a line of a block ends with. */
export const withoutCloser = (line: string, name: string): string | undefined => {
	const text = withoutTrailingEmphasis(line);
	const at = text.lastIndexOf('[');
	const marker = at === -1 ? undefined : bracketMarkerOf(text.slice(at));
	return marker?.type === 'close' && marker.name === name && marker.rest === ''
		? text.slice(0, at)
		: undefined;
};

/** A label in capitals and what it labels: `**CREATED:** src/x.ts`. */
export type Labelled = {readonly label: string; readonly value: string};

const LABEL = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)([*_~]{1,3})?:([*_~]{1,3}(?=\s|$))?/;

/** Reads a label at the start of an undecorated line. The value loses emphasis and code marks around all of it. */
export const labelOf = (undecoratedLine: string): Labelled | undefined => {
	const {text, emphasis} = unemphasized(undecoratedLine);
	const [whole, label = '', before, after] = LABEL.exec(text) ?? [];
	if (whole === undefined) {
		return undefined;
	}

	const value = text.slice(whole.length).trim();
	const isOpen = emphasis !== '' && before === undefined && after === undefined;
	return {
		label,
		value: uncoded(isOpen && value.endsWith(emphasis) ? value.slice(0, -emphasis.length) : value),
	};
};

/** Returns the text without the emphasis it ends with. */
export const withoutTrailingEmphasis = (line: string): string =>
	line
		.trimEnd()
		.replace(/[*_~]{1,3}$/, '')
		.trimEnd();

const uncoded = (value: string): string => /^`([^`]+)`$/.exec(value)?.[1] ?? value;

const markerName = (name: string): string =>
	name.replaceAll('\\', '').trim().toUpperCase().replaceAll(/[ -]+/g, '_');
