import {attempt} from '../attempt.ts';

/** Reads a text as JSON; nothing when it is none. */
export const readJson = (text: string): unknown => attempt((): unknown => JSON.parse(text));

/** Reads a text as a JSON object; nothing when it is none. */
export const readJsonObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
	const value = readJson(text);
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value))
		: undefined;
};
