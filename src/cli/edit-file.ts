import {constants, platform} from 'node:os';
import {basename} from 'node:path';
import {withoutLocations} from '../git/process/with-terminal.ts';
import {Failure} from '../lib/failure.ts';
import {runInTerminal} from '../lib/process/lend-terminal.ts';
import {visitorEnvironment} from '../supervisor/requests/visitor.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a person names their editor; the first that is set counts. */
const variables = ['VISUAL', 'EDITOR'] as const;

/**
Prepares to open a file in the person's editor. What is returned opens it, in the terminal that this process has, and settles when the editor has ended.

@throws `Failure` of kind `missing` when no editor is named or it can't be started, `refused` when it ended badly; at once, where that can be known before.
*/
export const editFile = (
	file: string,
	environment: Environment,
	line?: number,
): (() => Promise<void>) => {
	const editor = requireEditor(environment);
	if (!file.isWellFormed()) {
		throw new Failure('refused', 'The name of this file is not valid UTF-8.', {
			hint: 'open it in another terminal',
		});
	}

	const words = line === undefined ? [file] : wordsForLine(editor, file, line);
	return () => run(editor, words, environment);
};

/** A person's editor, as a shell takes it, and which variable names it. */
export type Editor = {readonly command: string; readonly variable: string};

/** Returns the editor that an environment names. */
export const editorIn = (environment: Environment): Editor | undefined => {
	const variable = variables.find(name => environment[name]?.trim());
	return variable === undefined
		? undefined
		: {command: environment[variable]?.trim() ?? '', variable};
};

/** Returns the command of the person's editor. */
export const requireEditor = (environment: Environment): string => {
	const editor = editorIn(environment)?.command;
	if (editor === undefined) {
		throw new Failure('missing', `No editor is named by ${variables.join(' or ')}.`, {
			hint: 'set one of them, such as EDITOR=vim, before you start delegate-tui',
		});
	}

	return editor;
};

/** Editors that stay in the terminal. */
const terminalEditors = /^(?:n?vim?|view|ex|ed|nano|pico|emacs|hx|helix|micro|kak|joe|ne|mcedit)$/;

/** Whether an editor may open a window; where there is no display none does. */
export const mayHaveWindow = (editor: string, environment: Environment): boolean =>
	!(
		(platform() === 'linux' && !environment.DISPLAY && !environment.WAYLAND_DISPLAY) ||
		terminalEditors.test(basename(editor.split(/\s/, 1)[0] ?? ''))
	);

/** Returns how it is started. What is named may have words of its own (`code --wait`), with quotes among them, so a shell reads it, as it does for git. */
export const editorCommand = (editor: string, ...words: readonly string[]): readonly string[] => [
	'/bin/sh',
	'-c',
	`${editor} "$@"`,
	'sh',
	...words,
];

/** Returns what an editor is told to open a file at a line; one that is not known opens the file. */
export const wordsForLine = (editor: string, file: string, line: number): readonly string[] => {
	const name = basename(editor.split(/\s/, 1)[0] ?? '').replaceAll(/["']/g, '');
	return plusLine.test(name)
		? [`+${line}`, file]
		: colonLine.test(name)
			? [`${file}:${line}`]
			: gotoLine.test(name)
				? ['--goto', `${file}:${line}`]
				: [file];
};

const plusLine =
	/^(?:g?n?vim?|mvim|view|ex|nano|pico|(?:x?emacs|emacsclient)(?:-nox)?|kak|joe|ne|mcedit|micro|gedit)$/;
const colonLine = /^(?:hx|helix|zed|zeditor|subl)$/;
const gotoLine = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/;

const run = async (
	editor: string,
	words: readonly string[],
	environment: Environment,
): Promise<void> => {
	const env = {
		...withoutLocations(visitorEnvironment(environment, 'a file that agents wrote')),
		// The file is in no repository, so one that is found there was planted.
		...(mayHaveWindow(editor, environment) ? {} : {GIT_DIR: '/dev/null'}),
	};
	const {exitCode, signal} = await runInTerminal(editorCommand(editor, ...words), {env});
	requireGoodEnd(editor, exitCode, signal);
};

/** Runs a command in the person's terminal, as a shell takes it, with the words as its `$@`; returns its exit code, if it had one. */
export const runInShell = async (
	command: string,
	cwd: string,
	words: readonly string[] = [],
): Promise<number | undefined> =>
	(await runInTerminal(['/bin/sh', '-c', command, 'sh', ...words], {cwd})).exitCode;

/** The shell's words for a command that it does not find, and for one that it may not run. */
const notFound = 127;
const notExecutable = 126;

/** Returns whether a shell says so that it could not start the editor. */
export const isMissing = (code: number | undefined): boolean =>
	code === notFound || code === notExecutable;

/** A shell tells of a command that a signal ended by adding this to the signal's number. */
const endedBySignal = 128;

/** @throws `Failure` when an editor did not end well. */
export const requireGoodEnd = (
	editor: string,
	code: number | undefined,
	signal: string | undefined,
): void => {
	if (code === 0) {
		return;
	}

	if (isMissing(code)) {
		throw new Failure('missing', `Your editor can’t be started: ${editor} (exit code ${code}).`, {
			hint: `set ${variables.join(' or ')} to one that is installed`,
		});
	}

	const by = signal ?? signalOf((code ?? 0) - endedBySignal);
	const how = by === undefined ? `exited with code ${code}` : `was ended by ${by}`;
	throw new Failure('refused', `Your editor ${how}.`);
};

const signalOf = (number: number): string | undefined =>
	Object.entries(constants.signals).find(([, other]) => other === number)?.[0];
