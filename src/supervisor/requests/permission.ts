import {readlink, realpath} from 'node:fs/promises';
import {homedir} from 'node:os';
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import type {Scope} from '../../events/plan.ts';
import {plainShellWords} from '../../lib/text/shell-words.ts';
import {judge} from '../../state/agent/scope.ts';
import {forbiddenIn} from './remote-command.ts';

/** An agent's permission request, as far as the ruling depends on it. */
export type Wanted = {
	readonly kind: string;
	/** The tool's action, if the request is about something else. */
	readonly about?: string;
	/** As the agent wrote them: absolute, or from its worktree. */
	readonly paths: readonly string[];
	readonly command?: string;
};

/** Ruling without a person; `ask` if the scope can't decide. */
type Verdict =
	| {readonly kind: 'allow'}
	| {readonly kind: 'ask'}
	| {
			readonly kind: 'refuse';
			/** Refused parts, each with the reason. */
			readonly refused: readonly {readonly what: string; readonly why: string}[];
	  };

/**
Rules on what an agent asks leave for.

To read in its worktree, the system and toolchains is free, be it by a tool or by a plain command that is known to do nothing else. A write is allowed when every path it names is in the scope, wherever links lead, and refused when one is not; an agent without a scope may write nothing. What is asked about a write without being one is refused likewise, but never allowed. What reaches other machines or starts another agent is refused. The rest, other commands and reading elsewhere above all, is for a person.
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

/** Returns the command that is wanted, if it is run in the worktree: one in another folder means other files by its words. */
export const commandHere = (
	tree: string,
	{kind, about = kind, paths, command}: Wanted,
): string | undefined => {
	const isHere = paths.every(path => resolve(tree, path) === resolve(tree));
	return kind === 'execute' && about === kind && isHere ? command : undefined;
};

/** Returns in words why an agent is refused something. */
export const refusalText = ({refused}: Extract<Verdict, {kind: 'refuse'}>): string =>
	refused.map(({what, why}) => `${what}: ${why}`).join('; ');

const readOnly = 'its agent may only read';

const refuse = (what: string, why: string): Verdict => ({kind: 'refuse', refused: [{what, why}]});

type Outside = {readonly what: string; readonly why: string};

/** Drops folders whose files are refused as well: a request beside a write names both. */
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

/** Folders of the system, in which no person keeps anything of their own. */
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

/** Folders of toolchains and their downloads in a home. */
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

/** Whether an agent may read what a path leads to without a person being asked: its worktree, the system and toolchains. */
const mayRead = async (root: string, path: string): Promise<boolean> => {
	const goal = await resolveLinks(resolve(root, path));
	const homes = toolchains.map(name => join(homedir(), name));
	// Node.js brings its libraries beside the folder of its program.
	const node = dirname(dirname(process.execPath));
	return [root, ...system, ...homes, ...(node === '/' ? [] : [node])].some(folder =>
		isWithin(folder, goal),
	);
};

const isWithin = (folder: string, goal: string): boolean => {
	const way = relative(folder, goal);
	return way === '' || (isBelow(way) && !isAbsolute(way));
};

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

/** Most links followed in a row. */
const maximumLinks = 40;

/**
Returns where a path leads: links on the way are followed, also one whose goal is not there yet; what is not there is kept.
*/
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

/** Returns whether a relative path leads below the folder that it starts from. */
export const isBelow = (path: string): boolean =>
	path !== '' && path !== '..' && !path.startsWith(`..${sep}`);
