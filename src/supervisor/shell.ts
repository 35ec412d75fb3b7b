import {open} from 'node:fs/promises';
import {execa} from 'execa';

/** What became of a list of shell commands. */
export type ShellOutcome = {
	readonly ok: boolean;
	/** Those that ran; `code` is null for one that was ended by a signal or could not start. */
	readonly commands: readonly {readonly command: string; readonly code: number | null}[];
};

/** Runs shell commands one after the other until one fails, with all their output in a file. */
export const runCommands = async (
	commands: readonly string[],
	{cwd, env, log}: {cwd: string; env: Readonly<Record<string, string>>; log: string},
): Promise<ShellOutcome> => {
	const done: {command: string; code: number | null}[] = [];
	const file = await open(log, 'a');
	try {
		for (const command of commands) {
			await file.appendFile(`$ ${command}\n`);
			const result = await execa({
				cwd,
				env,
				extendEnv: false,
				shell: '/bin/sh',
				reject: false,
				stdin: 'ignore',
				stdout: {file: log, append: true},
				stderr: {file: log, append: true},
				buffer: false,
				detached: true,
				cleanup: true,
			})`${command}`;
			const code = result.exitCode ?? null;
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
