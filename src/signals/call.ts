import {type Definition, noLine, type ToolFields} from './definition.ts';
import {malformed} from './fields/unreadable.ts';
import {type Signal, signals} from './index.ts';
import {reasonOf} from './parser/open.ts';

/**
Returns what a call of a tool says, `malformed` when its fields can't be read, and nothing when there is no such tool.

A form that isn't filled in is malformed here: whoever calls a tool means it.
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

/** Fields that are nested too deeply to be read are nested too deeply to be written. */
const textOf = (given: ToolFields): string => {
	try {
		return JSON.stringify(given);
	} catch {
		return '';
	}
};
