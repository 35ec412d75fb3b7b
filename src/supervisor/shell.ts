import {spawn} from 'node:child_process';
import {type FileHandle, open} from 'node:fs/promises';
import {endGroup, startTime} from '../lib/processes.ts';

/** What became of a list of shell commands. */
export type ShellOutcome = {
	readonly ok: boolean;
	/** Those that ran; `code` is null for one that was ended by a signal or could not start. */
	readonly commands: readonly {readonly command: string; readonly code: number | null}[];
};

type Place = {readonly cwd: string; readonly env: Readonly<Record<string, string>>};

/**
Runs shell commands one after the other until one fails, with all their output in a file.

A command is over when its shell is; what it left running in its process group is ended, so that the folder stands still.
*/
export const runCommands = async (
	commands: readonly string[],
	{log, ...place}: Place & {readonly log: string},
): Promise<ShellOutcome> => {
	const done: {command: string; code: number | null}[] = [];
	const file = await open(log, 'a');
	try {
		for (const command of commands) {
			await file.appendFile(`$ ${command}\n`);
			const code = await runCommand(command, place, file);
			done.push({command, code});
			if (code !== 0) {
				return {ok: false, commands: done};
			}
		}

		return {ok: true, commands: done};
	} finally {
		await file.close();
	}
};

/** Between TERM and KILL for what a command left running, in milliseconds. */
const graceMs = 2000;

/** The command writes to the file itself: a pipe would stay open for as long as anything it started. */
const runCommand = async (
	command: string,
	{cwd, env}: Place,
	file: FileHandle,
): Promise<number | null> => {
	const child = spawn('/bin/sh', ['-c', command], {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', file.fd, file.fd],
	});
	const ended = new Promise<number | null>(resolve => {
		child.once('exit', resolve);
		child.once('error', () => resolve(null));
	});
	if (child.pid === undefined) {
		return ended;
	}

	const leader = {pid: child.pid, startTime: startTime(child.pid) ?? ''};
	const code = await ended;
	await endGroup(leader, {graceMs});
	return code;
};
