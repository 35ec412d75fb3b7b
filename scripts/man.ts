import type {Command} from 'commander';

/** Returns the manual page of a program in the format of `man`, from the definitions of its commands. */
export const manPage = (program: Command): string => {
	const name = program.name();
	const blocks = [
		`.TH ${name.toUpperCase()} 1 "" "${name} ${program.version()}"`,
		`.SH NAME\n${name} \\- ${escaped(program.description())}`,
		`.SH SYNOPSIS\n.B ${name}\n[\\fITASK\\fR | \\fICOMMAND\\fR]`,
		`.SH DESCRIPTION\n${paragraphs(about)}`,
		`.SH OPTIONS\n${optionsText(program)}`,
		`.SH COMMANDS\n${shownCommands(program).map(commandText).join('\n')}`,
		`.SH EXIT STATUS\n${pairs(exits)}`,
		`.SH ENVIRONMENT\n${pairs(variables)}`,
		`.SH FILES\n${pairs(files)}`,
		`.SH SEE ALSO\n.B git-worktree\n(1)`,
	];
	return `${blocks.join('\n')}\n`;
};

const about = [
	'Without a command it opens the screen: the session under way in this repository, or the form of a plan, which begins with the words of a task where some are given.',
	'Each agent works in a git worktree of its own, inside a scope. Everything that needs a decision is in one inbox, on the screen and in every other terminal of the repository. Nothing is merged before a person has seen and approved exactly that result.',
	'Run commands in the repository, not in an agent’s worktree.',
];

const exits = [
	['0', 'done'],
	['1', 'the answer is no: refused, or nothing merged'],
	['2', 'wrong use'],
	['3', 'something is missing here: no repository, git or Node.js too old'],
	['4', 'a fault of the program'],
] as const;

const variables = [
	[
		'DELEGATE_TUI_TOKEN',
		'A token from "delegate-tui token make", with which a script decides for a person.',
	],
	[
		'DELEGATE_TUI_STATE',
		'The folder of journals, worktrees and snapshots; by default in XDG_STATE_HOME.',
	],
	['XDG_CONFIG_HOME', 'The folder of the person’s config, on Linux.'],
	['NO_COLOR', 'If set, nothing is colored.'],
	['EDITOR, VISUAL', 'The editor that files and notes are opened in.'],
] as const;

const files = [
	['~/.config/delegate-tui', 'The person’s config; ~/Library/Preferences/delegate-tui on macOS.'],
	['.delegate-tui.yaml', 'A repository’s config; "delegate-tui trust" shows which settings apply.'],
	[
		'~/.local/state/delegate-tui',
		'Journals, worktrees and snapshots of sessions; ~/Library/Application Support/delegate-tui on macOS.',
	],
] as const;

const shownCommands = (program: Command): readonly Command[] =>
	program.createHelp().visibleCommands(program);

const commandText = (command: Command): string =>
	[
		`.SS ${escaped(
			command
				.createHelp()
				.commandUsage(command)
				.replace(/ \[options\]/, ''),
		)}`,
		escaped(command.description()),
		optionsText(command),
		...shownCommands(command).map(commandText),
	].join('\n');

const optionsText = (command: Command): string =>
	pairs(
		command
			.createHelp()
			.visibleOptions(command)
			.filter(({long}) => long !== '--help')
			.map(({flags, description}) => [flags, description]),
	);

const pairs = (all: readonly (readonly [term: string, text: string])[]): string =>
	all.map(([term, text]) => `.TP\n.B ${escaped(term)}\n${escaped(text)}`).join('\n');

const paragraphs = (all: readonly string[]): string => all.map(escaped).join('\n.PP\n');

/** Escapes hyphens, backslashes and control characters at the start of a line for `man`. */
const escaped = (text: string): string =>
	text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll('’', '\\(cq')
		.replaceAll('…', '...')
		.replaceAll(/^[.']/gm, '\\&$&');
