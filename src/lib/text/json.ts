import {attempt} from '../failure.ts';

/** Parses a text as JSON; `undefined` if it isn't. */
export const readJson = (text: string): unknown => attempt((): unknown => JSON.parse(text));

/** Parses a text as a JSON object; `undefined` if it isn't one. */
export const readJsonObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
	const value = readJson(text);
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value))
		: undefined;
};

/**
Returns a value as JSON on one line, with all characters visible.

JSON itself escapes only the first control characters. The others also control terminals, or reverse or hide the text beside them, so they are escaped too; a parser gets the same value.
*/
export const plainJson = (value: unknown): string => {
	const json = JSON.stringify(value);
	return /^[ -~]*$/.test(json)
		? json
		: json.replaceAll(
				/[\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu,
				character =>
					character
						.split('')
						.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
						.join(''),
			);
};
