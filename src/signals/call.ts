import {type Definition, noLine, type ToolFields} from './definition.ts';
import {type Signal, signals} from './index.ts';
import {type Malformed, malformed} from './malformed.ts';
import {reasonOf} from './parser/open.ts';

/**
Returns what a call of a tool says, `malformed` when its fields can't be read, and nothing when there is no such tool.

A form that isn't filled in is malformed here: whoever calls a tool means it.
*/
export const readCall = (name: string, given: ToolFields): Signal | undefined =>
	readCallOf<Signal>(signals, name, given);

/** The same for these definitions, and no others; `S` is what they yield. */
export const readCallOf = <S>(
	definitions: readonly Definition[],
	name: string,
	given: ToolFields,
): S | Malformed | undefined => {
	for (const {kind, tool} of definitions) {
		if (tool?.name === name) {
			try {
				return tool.read(given) as S;
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
