import {plainShellWords} from '../../lib/text/shell-words.ts';

/** Words of a program by which it would do more than read what it is given by name. */
type Reader = {readonly refused?: RegExp};

/** Programs that only read, and what they could do besides. */
const readers: Readonly<Record<string, Reader>> = {
	cat: {},
	diff: {refused: /^-(?:-|[^-]*r)/},
	du: {refused: /^-(?:-f|-de|[^-]*L)/},
	echo: {},
	// Found commands and files to write are named by words with a single dash.
	find: {refused: /^-(?:exec|ok|delete|fprint|fls|follow|files|L)/},
	// Recursively it may follow links to anywhere.
	grep: {refused: /^-(?:-de|[^-]*R)/},
	head: {},
	ls: {},
	pwd: {},
	rg: {refused: /^-(?:-pre|-hostname|-follow|[^-]*L)/},
	stat: {},
	tail: {},
	wc: {refused: /^--f/},
};

/** Subcommands of git that only read, and words by which they would write a file or run a program. */
const gitReader: Reader = {refused: /^--(?:ou|ext|textc|no-i|op)|^-O/};
const gitSubcommands: readonly string[] = [
	'blame',
	'describe',
	'diff',
	'log',
	'ls-files',
	'rev-parse',
	'show',
	'status',
];

/**
Returns the words of a command that may be paths, if it is one of a few plain commands that only read; nothing of any other.

The list is short on purpose: what it doesn't know is asked of a person. Whoever allows the command must see that each of these words stays where it may be read; those that are no paths lead nowhere. An option with a slash in it may hide a path and isn't known at all.
*/
export const readingCommand = (command: string): readonly string[] | undefined => {
	const [program = '', ...words] = plainShellWords(command) ?? [];
	const [first = '', ...rest] = words;
	if (program === 'git') {
		return gitSubcommands.includes(first) ? readBy(gitReader, rest) : undefined;
	}

	const reader = Object.hasOwn(readers, program) ? readers[program] : undefined;
	return reader === undefined ? undefined : readBy(reader, words);
};

const readBy = ({refused}: Reader, words: readonly string[]): readonly string[] | undefined => {
	const options = words.filter(word => word.startsWith('-'));
	return options.some(
		option => option.includes('/') || option.includes('..') || refused?.test(option),
	)
		? undefined
		: words.filter(word => !word.startsWith('-'));
};
