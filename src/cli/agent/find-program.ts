import type {NamedProgram} from '../../events/plan.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {findProfile, type NoProfile, programOf} from '../../rules/plan/profile.ts';
import type {Here} from '../here.ts';
import {requireConfig} from '../require-config.ts';

/** A program that the config names, and what its profile sets in its environment, which stays out of what is written down of it. */
export type FoundProgram = {
	readonly program: NamedProgram;
	readonly environment: Readonly<Record<string, string>>;
};

/**
Returns what the config calls by a name.

@throws `Failure` of kind `usage` where it calls nothing so
*/
export const requireProgram = async (here: Here, name: string): Promise<FoundProgram> => {
	const found = await findProgram(here, name);
	if ('why' in found) {
		const {message, hint} = found.why;
		throw new Failure('usage', message, defined({hint}));
	}

	return found;
};

/** Finds what the config calls by a name. */
export const findProgram = async (here: Here, name: string): Promise<FoundProgram | NoProfile> => {
	const config = await requireConfig(here);
	const choice = findProfile(name, config.agents);
	if ('why' in choice) {
		return choice;
	}

	const {program, env} = programOf(choice.found);
	return {program: {profile: name, ...program}, environment: env};
};
