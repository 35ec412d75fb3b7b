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

/** Programs that do little else. */
export const remotePrograms: readonly string[] = ['gh', 'glab', 'hub'];

/** Subcommands of ours that start agents, or decide for a person; no agent has a use for them. */
export const startingVerbs: readonly string[] = ['add', 'answer', 'delegate', 'plan', 'run'];

/** A part of a command that no agent may run, and why. */
export type Forbidden = {readonly what: string; readonly why: string};

/**
Returns what of a shell command no agent may run, if it is seen.

It looks at words and can be fooled; what it lets pass is still asked of a person.
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

/** Returns the agent that a command starts, whatever it is started by; one that is only named is none. */
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

/** Programs that run the command behind them. */
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

/** Returns the words of a git from its subcommand on, without the options that stand before it. */
export const afterGlobal = (words: readonly string[]): readonly string[] => {
	let at = 0;
	for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
		at += withValue.includes(word) ? 2 : 1;
	}

	return words.slice(at);
};
