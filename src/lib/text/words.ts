import {isObject} from '../values.ts';

/** Returns `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns `a`, `a and b`, `a, b and c`; `link` may be `or`. */
export const enumerated = (words: readonly string[], link: 'and' | 'or' = 'and'): string =>
	words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}`;

/** Returns the first names and the number of others: `a, b and 3 more`. */
export const firstOf = (names: readonly string[], most: number, count = names.length): string => {
	const told = names.slice(0, most);
	return `${told.join(', ')}${count > told.length ? ` and ${count - told.length} more` : ''}`;
};

/** Returns the first line of a text, cut to a maximum number of characters. */
export const firstLine = (text: string, most: number): string => {
	const [line = ''] = text.trim().split('\n');
	const cut = line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '');
	return line.length > most ? `${cut}…` : line;
};

/** Removes a final full stop. */
export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** Folds a name for comparison as case-insensitive file systems do. Both case mappings are needed, since some letters have only one; HFS+ ignores the removed characters. */
export const foldName = (text: string): string =>
	text
		.normalize('NFC')
		.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
		.toUpperCase()
		.toLowerCase();

/** Abbreviates an object id. */
export const shortOid = (oid: string): string => oid.slice(0, 10);

/** Returns a YAML or JSON value on one line: lists with commas, names before their values. */
export const valueText = (value: unknown): string => {
	if (typeof value === 'string') {
		return value;
	}

	if (Array.isArray(value)) {
		return value.map(nested).join(value.every(isPlain) ? ', ' : '; ');
	}

	return isObject(value) ? valueLines(value).join('; ') : (JSON.stringify(value) ?? '');
};

/** Returns such a value as lines, one per name. */
export const valueLines = (value: unknown): readonly string[] => {
	if (value === undefined || value === null) {
		return [];
	}

	if (typeof value !== 'object') {
		return [valueText(value)];
	}

	return Array.isArray(value)
		? value.every(isPlain)
			? [valueText(value)]
			: value.map(nested)
		: Object.entries(value).map(([name, part]) => `${name}: ${nested(part)}`);
};

/** Returns a value inside another one: only words, lists of them and names with them are readable without brackets. */
const nested = (value: unknown): string => {
	if (isPlain(value)) {
		return valueText(value);
	}

	const parts = Object.entries(Object(value));
	if (!parts.every(([, part]) => isPlain(part))) {
		return JSON.stringify(value);
	}

	return Array.isArray(value)
		? valueText(value)
		: parts.map(([name, part]) => `${name}: ${valueText(part)}`).join(', ');
};

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Capitalizes the first letter. */
export const sentenceCase = (words: string): string =>
	`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

/** Returns the length of a text with its line break, in bytes. */
export const sizeOfLine = (text: string): number => Buffer.byteLength(text) + 1;

const cutMark = '\n- (cut here)';

/** Returns a text with a line break, cut to a maximum number of bytes; a mark shows the cut. */
export const cutTo = (text: string, bytes: number): string => {
	if (sizeOfLine(text) <= bytes) {
		return text;
	}

	const kept = Buffer.from(text).subarray(0, Math.max(0, bytes - sizeOfLine(cutMark)));
	// The cut may be inside a character.
	return `${kept.toString().replace(/\uFFFD$/, '')}${cutMark}`;
};

/** Returns a token such as `IN_PROGRESS` in words; other texts stay as they are. */
export const tokenInWords = (text: string): string =>
	/^[A-Z]+(?:_[A-Z]+)*$/.test(text) ? text.toLowerCase().replaceAll('_', ' ') : text;
