import {attempt} from '../failure.ts';

/** Reads a text as JSON; nothing when it is none. */
export const readJson = (text: string): unknown => attempt((): unknown => JSON.parse(text));

/** Reads a text as a JSON object; nothing when it is none. */
export const readJsonObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
	const value = readJson(text);
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value))
		: undefined;
};

/**
Returns a value as JSON on one line, in which every character can be seen.

JSON itself escapes only the first control characters. The others steer terminals as well, or turn or hide what is read beside them, so they are escaped too; whoever parses the line gets the same value.
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
