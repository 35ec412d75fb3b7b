import type {Plan} from '../../events/plan.ts';
import {fold} from '../../lib/text/fold-name.ts';

/** The commands that a plan runs by itself. */
export type PlanCommands = Pick<Plan, 'setup' | 'verify' | 'check'>;

/**
Returns whether a command of the plan names a path, so that a change to it changes what the command does.

A word that looks like a path counts in any folder, since the command may go there first; any other only if it is the whole path. Rather a path too many than one too few.
*/
export const isNamedByCommands = (
	{setup, verify, check = []}: PlanCommands,
	path: string,
): boolean => {
	const name = fold(path);
	return [...setup, ...verify, ...check].some(command => wordsOf(command).some(isNameOf(name)));
};

/** Quotes, signs of the shell and options with a value end a word. */
const wordsOf = (command: string): readonly string[] =>
	fold(command)
		.split(/[\s"'`;&|()<>={},]+/)
		.map(word => word.replace(/^(?:\.\/)+/, ''))
		.filter(Boolean);

const isNameOf = (path: string) => (word: string) =>
	path === word || (/[./]/.test(word) && path.endsWith(`/${word.replace(/^(?:\.\.\/)+/, '')}`));
