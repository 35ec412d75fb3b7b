import type {Subtask} from '../../events/plan.ts';
import {type PlaceOf, type Problem, readYaml} from '../../lib/text/yaml-document.ts';
import {toProblem} from './finding.ts';
import {type ParseOptions, toSubtask} from './parse.ts';
import {subtaskSchema} from './schema.ts';
import {checkShape} from './shape.ts';

/** A subtask that could be read, with the environment of its agent, or what is wrong with it. */
export type ParsedSubtask =
	| {
			readonly subtask: Subtask;
			readonly environment: Readonly<Record<string, string>>;
			/** Tells later checks where in the text a part of it stands. */
			readonly placeOf: PlaceOf;
			readonly problems?: undefined;
	  }
	| {readonly subtask?: undefined; readonly problems: readonly Problem[]};

/**
Reads one subtask as it stands below `agents` of a plan, for an agent that joins a running session.

@param id That of the new agent, where the text names none.
*/
export const parseSubtask = (text: string, id: string, options: ParseOptions): ParsedSubtask => {
	const read = readYaml(text, options.file);
	if ('problems' in read) {
		return read;
	}

	const {document} = read;
	const shaped = checkShape(document, subtaskSchema);
	if ('problems' in shaped) {
		return shaped;
	}

	const made = toSubtask(shaped.value, shaped.value.id ?? id, options);
	return 'why' in made
		? {problems: [toProblem({level: 'error', path: ['agent'], ...made.why}, document.placeOf)]}
		: {subtask: made.subtask, environment: made.env, placeOf: document.placeOf};
};
