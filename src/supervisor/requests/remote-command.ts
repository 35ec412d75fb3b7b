/** Subcommands of git that talk to another repository. */
const remoteSubcommands: readonly string[] = [
	'clone',
	'fetch',
	'ls-remote',
	'pull',
	'push',
	'remote',
	'send-email',
	'send-pack',
	'svn',
];

/** Programs that do little else. */
const remotePrograms: readonly string[] = ['gh', 'glab', 'hub'];

/** Options of git that take the next word as their value. */
const withValue: readonly string[] = [
	...['-C', '-c', '--git-dir', '--work-tree', '--namespace'],
	...['--config-env', '--attr-source'],
];

/**
Returns the part of a shell command that talks to another repository, if one is seen.

It looks at words and can be fooled; what it lets pass is still asked of a person.
*/
export const remoteCommand = (command: string): string | undefined => {
	const words = command.split(/[\s;|&()<>"'`$]+/).filter(word => word !== '');
	for (const [index, word] of words.entries()) {
		const program = word.slice(word.lastIndexOf('/') + 1);
		if (remotePrograms.includes(program)) {
			return program;
		}

		const subcommand = program === 'git' ? subcommandOf(words.slice(index + 1)) : undefined;
		if (subcommand !== undefined && remoteSubcommands.includes(subcommand)) {
			return `git ${subcommand}`;
		}
	}

	return undefined;
};

const subcommandOf = (words: readonly string[]): string | undefined => afterGlobal(words)[0];

/** Returns the words of a git from its subcommand on, without the options that stand before it. */
export const afterGlobal = (words: readonly string[]): readonly string[] => {
	let at = 0;
	for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
		at += withValue.includes(word) ? 2 : 1;
	}

	return words.slice(at);
};
