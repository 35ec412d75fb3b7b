import {type Definition, noLine, type ToolFields} from './definition.ts';
import {malformed} from './fields/unreadable.ts';
import {type Signal, signals} from './index.ts';
import {reasonOf} from './parser/open.ts';

/**
Returns the signal of a tool call, `malformed` if its fields are invalid, and nothing if there is no such tool.

An empty form is malformed here, since a tool call is never an example.
*/
export const readCall = (
	name: string,
	given: ToolFields,
	definitions: readonly Definition[] = signals,
): Signal | undefined => {
	for (const {kind, tool} of definitions) {
		if (tool?.name === name) {
			try {
				return tool.read(given) as Signal;
			} catch (error) {
				return malformed(kind, noLine, reasonOf(error), textOf(given));
			}
		}
	}

	return undefined;
};

/** Returns the fields as text; fields that are nested too deeply to parse can't be printed either. */
const textOf = (given: ToolFields): string => {
	try {
		return JSON.stringify(given);
	} catch {
		return '';
	}
};
