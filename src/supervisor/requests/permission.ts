import {readlink, realpath} from 'node:fs/promises';
import {homedir} from 'node:os';
import {basename, dirname, join, relative, resolve, sep} from 'node:path';
import type {Scope} from '../../events/plan.ts';
import {isIn} from '../../lib/files/folders.ts';
import {plainShellWords} from '../../lib/text/shell-words.ts';
import {judge} from '../../state/agent/scope.ts';
import {forbiddenIn} from './remote-command.ts';

/** Parts of a permission request on which the ruling depends. */
export type Wanted = {
	readonly kind: string;
	/** The tool's action, if the request is about something else. */
	readonly about?: string;
	/** As the agent wrote them: absolute or relative to its worktree. */
	readonly paths: readonly string[];
	readonly command?: string;
};

/** Ruling without a person; `ask` if the scope can't decide. */
type Verdict =
	| {readonly kind: 'allow'}
	| {readonly kind: 'ask'}
	| {
			readonly kind: 'refuse';
			/** Refused paths or commands, with the reasons. */
			readonly refused: readonly {readonly what: string; readonly why: string}[];
	  };

/**
Rules on a permission request.

Reading in the worktree, the system and toolchains is always allowed, by a tool or by a plain command that is known to do nothing else. A write is allowed if all its paths, with links resolved, are in the scope, and refused otherwise; an agent without a scope may write nothing. A request beside a write is refused likewise, but never allowed. Commands that reach other machines or start another agent are refused. A person decides all else, above all other commands and reading elsewhere.
*/
export const ruleOn = async (scope: Scope, tree: string, wanted: Wanted): Promise<Verdict> => {
	if (reading.includes(wanted.kind)) {
		return {kind: (await mayReadAll(tree, wanted.paths)) ? 'allow' : 'ask'};
	}

	const forbidden = forbiddenIn(wanted.command ?? '');
	if (forbidden !== undefined) {
		return {kind: 'refuse', refused: [forbidden]};
	}

	if (await onlyReads(tree, wanted)) {
		return {kind: 'allow'};
	}

	const isWrite = writing.includes(wanted.kind);
	if (!isWrite && !writing.includes(wanted.about ?? wanted.kind)) {
		return {kind: 'ask'};
	}

	if (wanted.paths.length === 0) {
		return scope.allowed.length === 0 ? refuse('a write', readOnly) : {kind: 'ask'};
	}

	const root = await realpath(tree);
	const outside = await Promise.all(wanted.paths.map(path => whyOutside(scope, root, path)));
	const refused = outside.filter(one => one !== undefined);
	if (refused.length > 0) {
		return {kind: 'refuse', refused: isWrite ? refused : withoutFolders(root, refused)};
	}

	return {kind: isWrite ? 'allow' : 'ask'};
};

const reading: readonly string[] = ['read', 'search', 'think'];
const writing: readonly string[] = ['edit', 'delete', 'move'];

const mayReadAll = async (tree: string, paths: readonly string[]): Promise<boolean> => {
	const root = await realpath(tree);
	const verdicts = await Promise.all(paths.map(path => mayRead(root, path)));
	return verdicts.every(verdict => verdict);
};

const onlyReads = async (tree: string, wanted: Wanted): Promise<boolean> => {
	const words = readingCommand(commandHere(tree, wanted) ?? '');
	return words !== undefined && mayReadAll(tree, words);
};

/** Returns the requested command if it runs in the worktree: in another folder its words name other files. */
export const commandHere = (
	tree: string,
	{kind, about = kind, paths, command}: Wanted,
): string | undefined => {
	const isHere = paths.every(path => resolve(tree, path) === resolve(tree));
	return kind === 'execute' && about === kind && isHere ? command : undefined;
};

export const refusalText = ({refused}: Extract<Verdict, {kind: 'refuse'}>): string =>
	refused.map(({what, why}) => `${what}: ${why}`).join('; ');

const readOnly = 'its agent may only read';

const refuse = (what: string, why: string): Verdict => ({kind: 'refuse', refused: [{what, why}]});

type Outside = {readonly what: string; readonly why: string};

/** Drops folders whose files are refused too: a request beside a write names both. */
const withoutFolders = (root: string, refused: readonly Outside[]): readonly Outside[] => {
	const paths = refused.map(({what}) => resolve(root, what));
	return refused.filter((_, index) => {
		const folder = paths[index] ?? root;
		return !paths.some(path => isBelow(relative(folder, path)));
	});
};

const whyOutside = async (
	scope: Scope,
	root: string,
	path: string,
): Promise<Outside | undefined> => {
	const within = relative(root, await resolveLinks(resolve(root, path)));
	if (!isBelow(within)) {
		return {what: path, why: 'not in its worktree'};
	}

	const verdict = judge(scope, within);
	return verdict === 'allowed' || verdict === 'private'
		? undefined
		: {what: within, why: verdict.outside};
};

/** System folders, in which people keep no files of their own. */
const system: readonly string[] = [
	'/bin',
	'/lib',
	'/lib64',
	'/nix/store',
	'/opt',
	'/sbin',
	'/usr',
	'/Applications/Xcode.app',
	'/Library/Developer',
	'/System',
];

/** Folders of toolchains and their caches, relative to a home. */
const toolchains: readonly string[] = [
	'.asdf',
	'.cargo/registry',
	'.gradle/caches',
	'.m2/repository',
	'.nvm',
	'.pyenv',
	'.rbenv',
	'.rustup',
	'.sdkman',
	'.volta',
	'go/pkg/mod',
];

/** Returns whether an agent may read a path without asking: in its worktree, the system and toolchains. */
const mayRead = async (root: string, path: string): Promise<boolean> => {
	const goal = await resolveLinks(resolve(root, path));
	const homes = toolchains.map(name => join(homedir(), name));
	// The libraries of Node.js are beside the folder of its program.
	const node = dirname(dirname(process.execPath));
	return [root, ...system, ...homes, ...(node === '/' ? [] : [node])].some(folder =>
		isIn(folder, goal),
	);
};

/** Arguments with which a program does more than read the files that it names. */
type Reader = {readonly refused?: RegExp};

/** Programs that only read, and arguments with which they do more. */
const readers: Readonly<Record<string, Reader>> = {
	cat: {},
	diff: {refused: /^-(?:-|[^-]*r)/},
	du: {refused: /^-(?:-f|-de|[^-]*L)/},
	echo: {},
	// Arguments of find with a single dash run commands or write files.
	find: {refused: /^-(?:exec|ok|delete|fprint|fls|follow|files|L)/},
	// A recursive grep may follow links to anywhere.
	grep: {refused: /^-(?:-de|[^-]*R)/},
	head: {},
	ls: {},
	pwd: {},
	rg: {refused: /^-(?:-pre|-hostname|-follow|[^-]*L)/},
	stat: {},
	tail: {},
	wc: {refused: /^--f/},
};

/** Git subcommands that only read, and arguments with which they would write a file or run a program. */
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
Returns the words of a plain read-only command that may be paths; `undefined` for any other command.

The list is short on purpose: a person is asked about other commands. The caller must check that each word may be read; words that are no paths lead nowhere. A command with a slash in an option isn't accepted, since the option may contain a path.
*/
const readingCommand = (command: string): readonly string[] | undefined => {
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

/** Maximum number of links to follow in a row. */
const maximumLinks = 40;

/** Returns the real path: resolves links, even if their target doesn't exist yet, and keeps missing parts. */
export const resolveLinks = async (path: string, links = 0): Promise<string> => {
	const real = await realpath(path).catch(() => undefined);
	const above = dirname(path);
	if (real !== undefined || above === path) {
		return real ?? path;
	}

	const folder = await resolveLinks(above, links);
	const goal = links < maximumLinks ? await readlink(path).catch(() => undefined) : undefined;
	return goal === undefined
		? join(folder, basename(path))
		: resolveLinks(resolve(folder, goal), links + 1);
};

/** Returns whether a relative path stays below its starting folder. */
export const isBelow = (path: string): boolean =>
	path !== '' && path !== '..' && !path.startsWith(`..${sep}`);
