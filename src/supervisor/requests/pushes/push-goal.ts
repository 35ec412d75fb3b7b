import {afterGlobal} from '../remote-command.ts';

/** Options of `git push` that take the next word as their value. */
const withValue: readonly string[] = [
	'-o',
	'--push-option',
	'--receive-pack',
	'--exec',
	'--recurse-submodules',
];

/**
Returns whether a git that pushes was to reach beyond this machine, by the words that it was started with.

A project's tests push to a repository that they have just made, and that is nobody's affair. Where a remote leads that has a name can't be known, so it counts, as does what can't be read.
*/
export const reachesOut = (argv: unknown): boolean => {
	if (!Array.isArray(argv)) {
		return true;
	}

	const [program = '', ...rest] = argv.map(String);
	const [, ...words] = program.endsWith('git-push') ? ['push', ...rest] : afterGlobal(rest);
	const goal = goalOf(words);
	return !words.includes('-h') && (goal === undefined || !isOnDisk(goal));
};

/** Returns where a push is to go, by what follows the word `push`; nothing where it is left to git's settings. */
const goalOf = (words: readonly string[], named?: string): string | undefined => {
	const [first, ...rest] = words;
	if (first === '--') {
		return rest[0] ?? named;
	}

	if (first === '--repo') {
		return goalOf(rest.slice(1), rest[0]);
	}

	if (first?.startsWith('--repo=')) {
		return goalOf(rest, first.slice('--repo='.length));
	}

	if (first?.startsWith('-')) {
		return goalOf(withValue.includes(first) ? rest.slice(1) : rest, named);
	}

	return first ?? named;
};

/** As git sees it: what has a colon before the first slash is a place on another machine. */
const isOnDisk = (goal: string): boolean =>
	goal.startsWith('file://') || /^(?:\.{1,2}$|[^:/]*\/)/.test(goal);
