import {constants, platform} from 'node:os';
import {basename} from 'node:path';
import {withoutLocations} from '../git/process/with-terminal.ts';
import {Failure} from '../lib/failure.ts';
import {runInTerminal} from '../lib/process/lend-terminal.ts';
import {visitorEnvironment} from '../supervisor/requests/visitor.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name a person's editor; the first that is set counts. */
const variables = ['VISUAL', 'EDITOR'] as const;

/**
Prepares to open a file in the person's editor. The returned function opens it in this process's terminal, and resolves when the editor has ended.

@throws `Failure` of kind `missing` if no editor is named or it can't be started, `refused` if it failed; at once if that can be known before.
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

/** A person's editor as a shell command, and the variable that names it. */
export type Editor = {readonly command: string; readonly variable: string};

export const editorIn = (environment: Environment): Editor | undefined => {
	const variable = variables.find(name => environment[name]?.trim());
	return variable === undefined
		? undefined
		: {command: environment[variable]?.trim() ?? '', variable};
};

export const requireEditor = (environment: Environment): string => {
	const editor = editorIn(environment)?.command;
	if (editor === undefined) {
		throw new Failure('missing', `No editor is named by ${variables.join(' or ')}.`, {
			hint: 'set one of them, such as EDITOR=vim, before you start delegate-tui',
		});
	}

	return editor;
};

/** Matches editors that stay in the terminal. */
const terminalEditors = /^(?:n?vim?|view|ex|ed|nano|pico|emacs|hx|helix|micro|kak|joe|ne|mcedit)$/;

/** Returns whether an editor may open a window; without a display none does. */
export const mayHaveWindow = (editor: string, environment: Environment): boolean =>
	!(
		(platform() === 'linux' && !environment.DISPLAY && !environment.WAYLAND_DISPLAY) ||
		terminalEditors.test(basename(editor.split(/\s/, 1)[0] ?? ''))
	);

/** Returns the command that starts an editor. Its name may include arguments (`code --wait`), also quoted, so a shell parses it, as for git. */
export const editorCommand = (editor: string, ...words: readonly string[]): readonly string[] => [
	'/bin/sh',
	'-c',
	`${editor} "$@"`,
	'sh',
	...words,
];

/** Returns the arguments that open a file at a line; an unknown editor only opens the file. */
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
		// The file is in no repository, so any repository that git finds there was planted.
		...(mayHaveWindow(editor, environment) ? {} : {GIT_DIR: '/dev/null'}),
	};
	const {exitCode, signal} = await runInTerminal(editorCommand(editor, ...words), {env});
	requireGoodEnd(editor, exitCode, signal);
};

/** Runs a shell command in the person's terminal, with the words as its `$@`; returns its exit code, if it had one. */
export const runInShell = async (
	command: string,
	cwd: string,
	words: readonly string[] = [],
): Promise<number | undefined> =>
	(await runInTerminal(['/bin/sh', '-c', command, 'sh', ...words], {cwd})).exitCode;

/** Exit codes of a shell for a command that it does not find, and for one that is not executable. */
const notFound = 127;
const notExecutable = 126;

/** Returns whether an exit code means that the shell could not start the editor. */
export const isMissing = (code: number | undefined): boolean =>
	code === notFound || code === notExecutable;

/** Added by a shell to the number of the signal that ended its command. */
const endedBySignal = 128;

/** @throws `Failure` if an editor failed. */
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
