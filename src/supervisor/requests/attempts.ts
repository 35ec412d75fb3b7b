import {appendFileSync, existsSync} from 'node:fs';
import {mkdir, rm, symlink, writeFile} from 'node:fs/promises';
import {basename, delimiter, join} from 'node:path';
import type {Profile} from '../../agents/profiles/profile.ts';
import type {Subtask} from '../../events/plan.ts';
import {attempt} from '../../lib/failure.ts';
import {openRegularFile} from '../../lib/files/reading.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {agentPrograms, nameOf} from '../../state/agent/allowance.ts';
import type {AgentFolder} from '../folder.ts';
import {afterGlobal, remotePrograms, startingVerbs} from './remote-command.ts';

/** Command of an agent. */
type Launch = {
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
};

/**
Puts programs that refuse first in an agent's `PATH`, under the names of those that start another agent or reach another machine; each of them keeps that it was tried.

The agent's own program goes by its whole path from then on. Names that its command or its servers of tools hold are left alone, and so are those of its vendor where an adapter starts that one. A program that isn't known may be a person's own around any agent, so only what reaches other machines is refused to it. A shell that sets `PATH` anew gets past all this: it is a fence, not a wall.

Where none can be laid, none are.
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
	// A colon in a folder's name parts it in a `PATH`.
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
		await rm(folder, {recursive: true, force: true});
		await mkdir(folder, {recursive: true, mode: 0o700});
		await writeFile(join(folder, scriptName), refusal(ours), {mode: 0o700});
		await Promise.all(names.map(name => symlink(scriptName, join(folder, name))));
	} catch {
		return {command, environment};
	}

	return {
		command: names.includes(own) ? [path, ...words] : command,
		environment: {...environment, PATH: `${folder}${delimiter}${PATH}`},
	};
};

const ourName = 'delegate-tui';
const scriptName = '.refuse';
const triedName = '.tried';

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

/** Keeps that an agent had this program start or decide something by another way than its name, as far as its `PATH` leads there. */
export const noteTried = ({PATH = ''}: NodeJS.ProcessEnv, verb = ''): void => {
	const [folder = ''] = PATH.split(delimiter);
	if (startingVerbs.includes(verb) && existsSync(join(folder, scriptName))) {
		attempt(() => appendFileSync(join(folder, triedName), `${ourName} ${verb}\n`));
	}
};

/**
Returns what makes every git that an agent starts tell in a file what it is asked to do and how it ends.

What a turn that was lost had left there is not this one's. Command lines hold passwords, so nobody else may read it; where no such file can be made, none is written.
*/
export const traced = async (trace: string): Promise<Readonly<Record<string, string>>> => {
	try {
		await rm(trace, {recursive: true, force: true});
		await writeFile(trace, '', {flag: 'wx', mode: 0o600});
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
Returns the commands of an agent that came to nothing by now: those that were refused, and each git that should have reached another machine; never fails.

No hook could tell of a push: git runs those once it has reached the other side. The agent writes these files, so they are proof of nothing but that somebody tried.
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
		// Nothing, or something else, is in its place, or it can't be read: whoever did that has nothing to tell.
		return [];
	}
};

/** The same may be tried again and again. */
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

/** Removes what a turn left there that is over. */
export const forgetTrace = (trace: string): Promise<void> =>
	rm(trace, {recursive: true, force: true}).catch(() => {});

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

/** Most bytes of the trace that are read; an hour of work makes some megabytes. */
const mostBytes = 64 * 2 ** 20;

const isOfUse = (line: string): boolean => /"event":"(?:start|cmd_name|exit)"/.test(line);

/** Subcommands that reach other machines themselves; `pull` and others run these. */
const callingOut: readonly unknown[] = ['push', 'fetch', 'ls-remote', 'clone'];

/**
Returns whether a git was to reach beyond this machine, by the words that it was started with.

A project's tests push to a repository that they have just made, and that is nobody's affair: a word that can be nothing but a path is taken for the goal. Where a remote leads that has a name can't be known, so it counts, as does what can't be read; what has no colon is a folder to `clone`.
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

/** A name with a slash in it may be a remote's, so only what can be nothing but a path is one. */
const isOnDisk = (goal: string): boolean => /^(?:file:\/\/|\.{0,2}\/|\.{1,2}$)/.test(goal);
