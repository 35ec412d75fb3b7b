import {dirname} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {requireDescriptors} from '../../lib/process/find-program.ts';
import {AtNamedPipe, runProgram} from '../../lib/process/run-program.ts';
import {defined} from '../../lib/values.ts';
import {gitExecutable, unstartable} from './executable.ts';
import {hooksOff} from './hooks-off.ts';
import {commandOf, type ExpectedCodes, expectCode, type GitResult} from './result.ts';

/** Location of a sealed command: always with a git dir that no agent can write. */
export type GitLocation = {
	readonly gitDir: string;
	readonly workTree?: string;
	readonly index?: string;
	/** Returns the command prefix of a git that sees nothing but a worktree and its own repository; empty where files aren't protected. */
	readonly confine?: (
		location: WorktreeLocation,
		use: {readonly git: string; readonly opens: FileUse},
	) => Promise<readonly string[]>;
};

/** How git opens the files of a worktree by their paths. */
export type FileUse = 'to read' | 'to write';

export type WorktreeLocation = GitLocation & {readonly workTree: string};

export type SealedOptions = {
	readonly input?: Uint8Array | string;
	/** Added to the environment, for dates and identities. */
	readonly env?: Readonly<Record<string, string>>;
	readonly config?: Readonly<Record<string, string>>;
	readonly expect?: ExpectedCodes;
	/** Set for a git that opens files of the worktree: it trusts a folder that it has looked at, and an agent at work may replace that by a link. */
	readonly opens?: FileUse;
	/** Kills a git that only reads. */
	readonly signal?: AbortSignal;
	/** Called with the progress of a checkout that takes longer than two seconds, at each further percent. */
	readonly onCheckout?: ((done: number, total: number) => void) | undefined;
};

/**
Runs git so that nothing an agent wrote can make it execute a program or read elsewhere.

Overriding settings is not enough: filters and merge drivers have names of the attacker's choice. So git never sees a git dir, an index or a configuration that an agent could write; the environment is built from nothing, and only the worktree's files are the agent's.

@throws `Failure` with git's own words when the exit code is not an expected one.
*/
export const sealed = async (
	location: GitLocation,
	args: readonly string[],
	options: SealedOptions = {},
): Promise<GitResult> => {
	const git = gitExecutable();
	requireDescriptors(unstartable(args));
	const {input, config, env, expect, opens, signal, onCheckout} = options;
	const {confine, workTree} = location;
	const isOpen = opens === undefined || confine === undefined || workTree === undefined;
	const prefix = isOpen ? [] : await confine({...location, workTree}, {git, opens});
	const [program = git, ...words] = [...prefix, git, ...args];
	const {code, stdout, stderr} = await runProgram(program, words, {
		cwd: location.workTree ?? location.gitDir,
		env: {
			...closedEnvironment(git, location),
			...settingVariables(Object.entries({...sealedConfig, ...config})),
			...env,
		},
		input,
		...defined({signal}),
		// Ctrl-C in a terminal must not kill a git that is writing.
		detached: true,
		onStderr: onCheckout && (text => tellProgress(text, onCheckout)),
		// Git opens an agent's .gitignore, for example, whatever it is.
		refusesNamedPipes: true,
	}).catch((cause: unknown): never => {
		throw cause instanceof AtNamedPipe ? atNamedPipe(args, cause) : unfinished(args, cause);
	});
	if (code === null) {
		throw unfinished(args, {stderr: stderr.toString('utf8')});
	}

	const result = {code, stdout, stderr: stderr.toString('utf8')};
	return expectCode(args, result, expect, foldersOf(location));
};

/** Reports progress; a piece of output that ends within a number reports none. */
const tellProgress = (text: string, tell: (done: number, total: number) => void): void => {
	for (const [, done, total] of text.matchAll(/Updating files: +\d+% \((\d+)\/(\d+)\)/g)) {
		tell(Number(done), Number(total));
	}
};

const unfinished = (args: readonly string[], cause: unknown): Failure =>
	new Failure('internal', `${commandOf(args)} did not run to its end.`, {cause});

const atNamedPipe = (args: readonly string[], cause: AtNamedPipe): Failure =>
	new Failure('refused', `${commandOf(args)} waited for a named pipe, and was ended.`, {
		hint: 'There is a pipe in place of a file, such as .gitignore or .gitattributes: find . -type p',
		cause,
	});

const foldersOf = ({gitDir, workTree, index}: GitLocation): readonly string[] => [
	gitDir,
	...(workTree === undefined ? [] : [workTree]),
	...(index === undefined ? [] : [dirname(index)]),
];

/** Author of snapshots and of the hubs' reflogs. */
export const supervisorIdentity = {name: 'delegate-tui', email: 'delegate-tui@localhost'};

/** Returns the variables for the author and committer of a commit. */
export const identityVariables = ({name, email}: typeof supervisorIdentity) => ({
	GIT_AUTHOR_NAME: name,
	GIT_AUTHOR_EMAIL: email,
	GIT_COMMITTER_NAME: name,
	GIT_COMMITTER_EMAIL: email,
});

const closedEnvironment = (git: string, location: GitLocation): Record<string, string> => ({
	PATH: `${dirname(git)}:/usr/bin:/bin`,
	HOME: '/dev/null',
	LC_ALL: 'C',
	GIT_DIR: location.gitDir,
	// Relative to the cwd, since the absolute path could lead elsewhere by now.
	...(location.workTree === undefined ? {} : {GIT_WORK_TREE: '.'}),
	...defined({GIT_INDEX_FILE: location.index}),
	GIT_CONFIG_NOSYSTEM: '1',
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_ATTR_NOSYSTEM: '1',
	GIT_NO_REPLACE_OBJECTS: '1',
	GIT_LITERAL_PATHSPECS: '1',
	GIT_OPTIONAL_LOCKS: '0',
	GIT_TERMINAL_PROMPT: '0',
	GIT_ALLOW_PROTOCOL: 'file',
	GIT_EDITOR: 'false',
	GIT_ASKPASS: 'false',
	GIT_PAGER: 'cat',
	...identityVariables(supervisorIdentity),
	...reusedMemory,
});

/** Has glibc keep what zlib frees (256 KB for each object): git would otherwise return these pages to the kernel and fault them in again for each object that it writes. */
const reusedMemory = {
	MALLOC_TRIM_THRESHOLD_: `${8 * 2 ** 20}`,
	MALLOC_MMAP_THRESHOLD_: `${2 ** 20}`,
};

const sealedConfig: Readonly<Record<string, string>> = {
	...Object.fromEntries(hooksOff),
	'core.fsmonitor': 'false',
	'core.attributesFile': '/dev/null',
	'core.excludesFile': '/dev/null',
	'core.protectHFS': 'true',
	'core.protectNTFS': 'true',
	'core.useReplaceRefs': 'false',
	'core.fsync': 'committed,reference',
	'core.commitGraph': 'false',
	'gc.auto': '0',
	'maintenance.auto': 'false',
	'commit.gpgSign': 'false',
	'log.showSignature': 'false',
	// A folder that one side renamed would carry the other side's new files out of its scope.
	'merge.directoryRenames': 'false',
	'protocol.ext.allow': 'never',
	'submodule.recurse': 'false',
	// Git opens only folders that we name, so their owner doesn't matter.
	'safe.directory': '*',
	'safe.bareRepository': 'explicit',
};

/** Returns the `GIT_CONFIG_*` variables for settings. */
export const settingVariables = (
	settings: readonly (readonly [key: string, value: string])[],
): Record<string, string> => {
	const variables = settings.flatMap(([key, value], position) => [
		[`GIT_CONFIG_KEY_${position}`, key],
		[`GIT_CONFIG_VALUE_${position}`, value],
	]);
	return {GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(variables)};
};
