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
	if (!isWords(argv)) {
		return true;
	}

	const [program = '', ...rest] = argv;
	const [, ...words] = program.endsWith('git-push') ? ['push', ...rest] : afterGlobal(rest);
	const goal = goalOf(words);
	return !words.includes('-h') && (goal === undefined || !isOnDisk(goal));
};

const isWords = (argv: unknown): argv is readonly string[] =>
	Array.isArray(argv) && argv.every(word => typeof word === 'string');

/** Returns where a push is to go, by what follows the word `push`; nothing where it is left to git's settings. */
const goalOf = (words: readonly string[]): string | undefined => {
	let named: string | undefined;
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		if (word === '--') {
			return words[at + 1] ?? named;
		}

		if (!word.startsWith('-')) {
			return word;
		}

		if (word === '--repo') {
			at++;
			named = words[at];
		} else if (word.startsWith('--repo=')) {
			named = word.slice('--repo='.length);
		} else if (withValue.includes(word)) {
			at++;
		}
	}

	return named;
};

/** A name with a slash in it may be a remote's, so only what can be nothing but a path is one. */
const isOnDisk = (goal: string): boolean => /^(?:file:\/\/|\.{0,2}\/|\.{1,2}$)/.test(goal);
