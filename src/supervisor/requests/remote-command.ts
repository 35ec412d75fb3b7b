import {agentPrograms, nameOf} from '../../state/agent/allowance.ts';

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

/** Programs whose main purpose is to talk to other machines. */
export const remotePrograms: readonly string[] = ['gh', 'glab', 'hub'];

/** Subcommands of this program that start agents, or decide for a person; agents need none of them. */
export const startingVerbs: readonly string[] = ['add', 'answer', 'delegate', 'plan', 'run'];

export type Forbidden = {readonly what: string; readonly why: string};

/**
Returns the forbidden part of a shell command, if it finds one.

It checks words and can be fooled; a person is still asked about commands that pass.
*/
export const forbiddenIn = (command: string): Forbidden | undefined => {
	const remote = remoteCommand(command);
	if (remote !== undefined) {
		return {what: remote, why: 'it reaches another machine'};
	}

	const parts = withoutTexts(command).split(/[;|&()<>`\n]+/);
	const [program] = parts.flatMap(part => startedBy(part) ?? []);
	return program === undefined ? undefined : {what: program, why: 'no agent may start another one'};
};

/** Removes quoted texts, such as a commit message; single words and shell commands stay. */
const withoutTexts = (command: string): string =>
	command.replaceAll(
		/(-\w*c[ \t]+)?(["'])(.*?)\2/gs,
		(_, shell = '', _quote: string, text: string) =>
			shell !== '' || !/\s/.test(text) || /\$\(|`/.test(text) ? `${shell}${text}` : 'text',
	);

/** Returns the agent that a command starts, directly or through launchers; one in an argument doesn't count. */
const startedBy = (command: string): string | undefined => {
	const words = command.split(/[\s"'$]+/).filter(word => word !== '');
	const at = words.findIndex(word => !isBefore(word));
	const program = nameOf(words[at] ?? '');
	const verb = words[at + 1] ?? '';
	if (program === 'delegate-tui') {
		return startingVerbs.includes(verb) ? `${program} ${verb}` : undefined;
	}

	return agentPrograms.includes(program) ? program : undefined;
};

/** Programs that run the command in their arguments. */
const launchers: readonly string[] = [
	...['sh', 'bash', 'dash', 'zsh', 'env', 'command', 'exec', 'eval', 'nice', 'nohup', 'setsid'],
	...['time', 'timeout', 'sudo', 'npx', 'bunx'],
];

/** Returns whether a word may precede a program: a launcher, its options and numbers, variables. */
const isBefore = (word: string): boolean =>
	/^(?:-.*|\d+[smhd]?|\w+=.*)$/.test(word) || launchers.includes(nameOf(word));

/** Options of git that take the next word as their value. */
const withValue: readonly string[] = [
	...['-C', '-c', '--git-dir', '--work-tree', '--namespace'],
	...['--config-env', '--attr-source'],
];

const remoteCommand = (command: string): string | undefined => {
	const words = command.split(/[\s;|&()<>"'`$]+/).filter(word => word !== '');
	for (const [index, word] of words.entries()) {
		const program = word.slice(word.lastIndexOf('/') + 1);
		if (remotePrograms.includes(program)) {
			return program;
		}

		const subcommand = program === 'git' ? afterGlobal(words.slice(index + 1))[0] : undefined;
		if (subcommand !== undefined && remoteSubcommands.includes(subcommand)) {
			return `git ${subcommand}`;
		}
	}

	return undefined;
};

/** Returns the words of a git command from its subcommand on, without global options. */
export const afterGlobal = (words: readonly string[]): readonly string[] => {
	let at = 0;
	for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
		at += withValue.includes(word) ? 2 : 1;
	}

	return words.slice(at);
};
