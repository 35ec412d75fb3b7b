import {stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {requireDescriptors} from '../../lib/process/find-program.ts';
import {runProgram} from '../../lib/process/run-program.ts';
import {defined} from '../../lib/values.ts';
import {gitExecutable, unstartable} from './executable.ts';
import {hooksOff} from './hooks-off.ts';
import {patiently} from './patience.ts';
import {type ExpectedCodes, expectCode, type GitResult, killedCode} from './result.ts';

export type UserOptions = {
	readonly input?: Uint8Array;
	/** Used in place of the checkout's own index. */
	readonly index?: string;
	/** Added to the environment, for dates, identities and object directories. */
	readonly env?: Readonly<Record<string, string>>;
	readonly expect?: ExpectedCodes;
};

/**
Runs git in the person's checkout with their configuration, filters, line endings and identity.

Hooks, garbage collection, prompts, editors and pagers are off, and `GIT_DIR` of our environment is ignored. The file system monitor is off too: git would overwrite an edit that the monitor missed, and wait for one that hangs.

@throws `Failure` with git's own words when the exit code is not an expected one.
*/
export const user = async (
	cwd: string,
	args: readonly string[],
	options: UserOptions = {},
): Promise<GitResult> => {
	await requireFolder(cwd);
	requireDescriptors(unstartable(args));
	const {input, index, expect} = options;
	const settings = quietConfig.flatMap(setting => ['-c', setting]);
	const {code, stdout, stderr} = await patiently(args, () =>
		runProgram(gitExecutable(), [...settings, ...args], {cwd, env: environment(options), input}),
	);
	const result = {code: code ?? killedCode, stdout, stderr: stderr.toString('utf8')};
	return expectCode(args, result, expect, [cwd, ...(index === undefined ? [] : [dirname(index)])]);
};

const quietConfig = [
	...hooksOff.map(([key, value]) => `${key}=${value}`),
	'core.fsmonitor=false',
	// A journaled merge must survive a power failure.
	'core.fsync=added,reference',
	'gc.auto=0',
	'maintenance.auto=false',
	'submodule.recurse=false',
];

/** Variables with the person's configuration and identity. */
const keptVariables = [
	'GIT_CONFIG_GLOBAL',
	'GIT_CONFIG_SYSTEM',
	'GIT_CONFIG_NOSYSTEM',
	'GIT_AUTHOR_NAME',
	'GIT_AUTHOR_EMAIL',
	'GIT_COMMITTER_NAME',
	'GIT_COMMITTER_EMAIL',
];

const ownVariables = {
	LC_ALL: 'C',
	GIT_TERMINAL_PROMPT: '0',
	GIT_EDITOR: 'false',
	GIT_SEQUENCE_EDITOR: 'false',
	GIT_ASKPASS: 'false',
	GIT_PAGER: 'cat',
};

/** Variables without the prefix `GIT_` that choose a program or folder for git. */
const guardedVariables = new Set(['EDITOR', 'VISUAL', 'PAGER', 'SSH_ASKPASS', 'PREFIX']);

const environment = ({index, env}: UserOptions): NodeJS.ProcessEnv => {
	const kept = Object.entries(process.env).filter(
		([name]) =>
			keptVariables.includes(name) ||
			!(name.toUpperCase().startsWith('GIT_') || guardedVariables.has(name.toUpperCase())),
	);
	return {
		...Object.fromEntries(kept),
		...ownVariables,
		...env,
		...defined({GIT_INDEX_FILE: index}),
	};
};

const requireFolder = async (path: string): Promise<void> => {
	const isFolder = await stat(path).then(
		entry => entry.isDirectory(),
		() => false,
	);
	if (!isFolder) {
		throw new Failure('missing', `There is no folder ${path}.`);
	}
};
