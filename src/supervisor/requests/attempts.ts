import {appendFileSync, constants, existsSync} from 'node:fs';
import {mkdir, readdir, rm, symlink} from 'node:fs/promises';
import {basename, delimiter, join} from 'node:path';
import type {Profile} from '../../agents/profiles/profile.ts';
import type {Subtask} from '../../events/plan.ts';
import {attempt} from '../../lib/failure.ts';
import {openRegularFile, unlessThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {agentPrograms, nameOf} from '../../state/agent/allowance.ts';
import type {AgentFolder} from '../folder.ts';
import {afterGlobal, remotePrograms, startingVerbs} from './remote-command.ts';

/** Command of an agent and its environment. */
type Launch = {
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
};

/**
Puts refusing programs first in an agent's `PATH`, under the names of programs that start another agent or reach another machine; each of them records the attempt.

The agent's own program is then started by its absolute path. Names in the agent's command or its tool servers are left out, and so are those of its vendor if an adapter starts the program. An unknown program may be a person's own wrapper around any agent, so it is only kept from other machines. A shell that sets `PATH` anew bypasses all this: it is a fence, not a wall.

If the folder can't be created, the command stays unchanged.
*/
export const refusing = async (
	folder: string,
	{command, environment}: Launch,
	{mcpServers = []}: Pick<Subtask, 'mcpServers'>,
	profile: Profile | undefined,
): Promise<Launch> => {
	const [program = '', ...words] = command;
	const {PATH = ''} = environment;
	const path = program.includes('/') ? program : programPath(program, PATH);
	// `PATH` can't contain a folder whose name has a colon.
	if (path === undefined || folder.includes(delimiter)) {
		return {command, environment};
	}

	const own = basename(program);
	const family = own === profile?.print?.command[0] ? undefined : profile?.vendor;
	const servers = mcpServers.flatMap(server => ('url' in server ? [] : server.command));
	const named = [...words, ...servers].flatMap(word => word.split(/[\s"'`;|&()=,]+/).map(nameOf));
	const ours = programPath(ourName, PATH);
	const names = [
		...remotePrograms,
		...agentPrograms.filter(name =>
			name === ourName
				? ours !== undefined
				: agentPrograms.includes(own) && !(family && name.startsWith(family)),
		),
	].filter(name => !named.includes(name));
	try {
		await layPrograms(folder, names, refusal(ours));
	} catch {
		return {command, environment};
	}

	return {
		command: names.includes(own) ? [path, ...words] : command,
		environment: {...environment, PATH: `${folder}${delimiter}${PATH}`},
	};
};

/** Puts the programs into a folder, which stays the same, since a kept process sees it until it ends. */
const layPrograms = async (
	folder: string,
	names: readonly string[],
	refusal: string,
): Promise<void> => {
	await mkdir(folder, {recursive: true, mode: 0o700});
	const known = [scriptName, triedName, ...names];
	for (const name of (await readdir(folder)).filter(name => !known.includes(name))) {
		await rm(join(folder, name), {recursive: true, force: true});
	}

	await writeAtomically(join(folder, scriptName), refusal, {mode: 0o700});
	await empty(join(folder, triedName));
	await Promise.all(names.map(name => symlink(scriptName, join(folder, name)).catch(unlessThere)));
};

/** Empties a file or creates it. It stays the same file, which a kept process sees until it ends, unless an agent has put something else in its place. */
const empty = async (path: string): Promise<void> => {
	const file = await openRegularFile(path, emptied, 0o600).catch(async () => {
		await rm(path, {recursive: true, force: true});
		return openRegularFile(path, emptied, 0o600);
	});
	await file.close();
};

const emptied = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;

const ourName = 'delegate-tui';
const scriptName = '.refuse';
/** Name of the file with the attempts, the only one in the folder that an agent in the sandbox can write. */
export const triedName = '.tried';

/** Returns the script that refuses a program. It records only the name, since arguments may be secret. */
const refusal = (ours = ''): string => `#!/bin/sh
name=\${0##*/}
case "$name \${1-}" in
${startingVerbs.map(verb => inShell(`${ourName} ${verb}`)).join(' | ')}) name="$name $1" ;;
${ourName}\\ *) exec ${inShell(ours)} "$@" ;;
esac
echo "$name" >> "\${0%/*}/${triedName}"
echo "$name: no agent may start another one or reach another machine; DELEGATE_WORK and STOP_WORK ask a person for it" >&2
exit 126
`;

/** Records that an agent ran a forbidden subcommand of this program by another way than its name, if its `PATH` has the refusing programs. */
export const noteTried = ({PATH = ''}: NodeJS.ProcessEnv, verb = ''): void => {
	const [folder = ''] = PATH.split(delimiter);
	if (startingVerbs.includes(verb) && existsSync(join(folder, scriptName))) {
		attempt(() => appendFileSync(join(folder, triedName), `${ourName} ${verb}\n`));
	}
};

/**
Returns variables that make all gits of an agent write their command lines and exit codes to a file.

The file is emptied first. Command lines may contain passwords, so only the owner can read the file; if it can't be created, nothing is traced.
*/
export const traced = async (trace: string): Promise<Readonly<Record<string, string>>> => {
	try {
		await empty(trace);
	} catch {
		return {};
	}

	return {
		GIT_TRACE2_EVENT: trace,
		GIT_TRACE2_EVENT_BRIEF: '1',
		GIT_TRACE2_EVENT_NESTING: '1',
	};
};

/**
Returns the commands of an agent that have failed so far: refused programs, and gits that tried to reach another machine; never throws.

A hook can't report a push: git runs it only after it has reached the other side. The agent can write these files, so they only prove that it tried something.
*/
export const triedIn = async ({
	gitTrace,
	refused,
}: Pick<AgentFolder, 'gitTrace' | 'refused'>): Promise<readonly string[]> => [
	...(await linesIn(join(refused, triedName), gatherLines)),
	...(await linesIn(gitTrace, failedCalls)),
];

const linesIn = async (
	path: string,
	read: (lines: AsyncIterable<string>) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
	try {
		await using file = await openRegularFile(path);
		return await read(file.readLines({end: mostBytes, autoClose: false}));
	} catch {
		// The file is missing, replaced or unreadable, so it shows nothing.
		return [];
	}
};

/** Returns each line once: the agent may retry the same command. */
const gatherLines = async (lines: AsyncIterable<string>): Promise<readonly string[]> => {
	const known = new Set<string>();
	for await (const line of lines) {
		if (known.size < mostNames) {
			known.add(line);
		}
	}

	return [...known];
};

const mostNames = 100;

/** Empties the trace of a turn that is over. */
export const forgetTrace = (trace: string): Promise<void> => empty(trace).catch(() => {});

const failedCalls = async (lines: AsyncIterable<string>): Promise<readonly string[]> => {
	const commands = new Map<unknown, unknown>();
	const calls = new Map<unknown, string>();
	const failed = new Set<string>();
	for await (const line of lines) {
		const {event, sid, argv, name, code} = (isOfUse(line) && readJsonObject(line)) || {};
		if (event === 'start') {
			commands.set(sid, argv);
		} else if (
			event === 'cmd_name' &&
			callingOut.includes(name) &&
			reachesOut(name, commands.get(sid))
		) {
			calls.set(sid, `git ${name}`);
		} else if (event === 'exit' && code !== 0) {
			const call = calls.get(sid);
			if (call !== undefined) {
				failed.add(call);
			}
		}
	}

	return [...failed];
};

/** Maximum length of the trace to read, in bytes; an hour of work makes some megabytes. */
const mostBytes = 64 * 2 ** 20;

const isOfUse = (line: string): boolean => /"event":"(?:start|cmd_name|exit)"/.test(line);

/** Subcommands that reach other machines themselves; `pull` and others run these. */
const callingOut: readonly unknown[] = ['push', 'fetch', 'ls-remote', 'clone'];

/**
Returns whether a git tried to reach another machine, according to its arguments.

A project's tests may push to a repository that they have just made, which is harmless: an argument that can only be a path counts as the destination. The URL of a named remote isn't known, so it counts as another machine, and so do unreadable arguments. For `clone`, an argument without a colon is a folder.
*/
const reachesOut = (call: unknown, argv: unknown): boolean => {
	if (!isWords(argv)) {
		return true;
	}

	const [program = '', ...rest] = argv;
	const words = program.endsWith(`git-${call}`) ? rest : afterGlobal(rest).slice(1);
	const named = words.map(word => word.replace(/^--repo=/, ''));
	const isHere =
		call === 'clone'
			? named.every(word => !word.includes(':') || isOnDisk(word))
			: named.some(isOnDisk);
	return !words.includes('-h') && !isHere;
};

const isWords = (argv: unknown): argv is readonly string[] =>
	Array.isArray(argv) && argv.every(word => typeof word === 'string');

/** Returns whether a destination can only be a path: a name with a slash may be a remote's. */
const isOnDisk = (goal: string): boolean => /^(?:file:\/\/|\.{0,2}\/|\.{1,2}$)/.test(goal);
