import {sealed, type WorktreeLocation} from '../process/sealed.ts';
import {ignoredAmong} from '../repository/ignored.ts';

/** Returns those of the paths that the ignore rules of an agent's worktree match. */
export const ignoredIn = async (
	location: WorktreeLocation,
	paths: readonly string[],
): Promise<ReadonlySet<string>> => {
	if (paths.length === 0) {
		return new Set();
	}

	const env = {GIT_LITERAL_PATHSPECS: '0'};
	return ignoredAmong((args, input) => sealed(location, args, {input, env, expect: 'any'}), paths);
};
