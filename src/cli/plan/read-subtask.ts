import {readFile} from 'node:fs/promises';
import {relative} from 'node:path';
import type {Subtask} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import {parseSubtask} from '../../rules/plan/subtask-file.ts';
import type {Config} from '../config/config.ts';
import {problemText} from './read-plan.ts';

/** A subtask that an agent can be added for; values of its environment stay out of what is written down of it. */
export type ReadSubtask = {
	readonly subtask: Subtask;
	readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/**
Reads the subtask of an agent that is to join a running session from a file.

@param id That of the new agent, where the file names none.
@throws `Failure` of kind `usage` that lists every error with its line and column.
*/
export const readSubtask = async (
	file: string,
	id: string,
	config: Config,
): Promise<ReadSubtask> => {
	const text = await readFile(file, 'utf8').catch(error => {
		throw new Failure('usage', `The file ${file} can't be read.`, {cause: error});
	});
	const name = relative(process.cwd(), file) || file;
	const parsed = parseSubtask(text, id, {
		file: name,
		profiles: config.agents,
		timeoutMs: config.limits.timeoutMs,
	});
	if (parsed.subtask === undefined) {
		throw new Failure(
			'usage',
			[`The subtask ${name} can't be used.`, ...parsed.problems.map(problemText)].join('\n'),
			{hint: 'it is one entry below `agents` of a plan: delegate-tui help plan'},
		);
	}

	const {subtask, environment} = parsed;
	return {subtask, environments: {[subtask.id]: environment}};
};
