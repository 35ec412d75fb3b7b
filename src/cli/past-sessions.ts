import {Failure} from '../lib/failure.ts';
import {runInTerminal} from '../lib/process/lend-terminal.ts';
import {runProgram} from '../lib/process/run-program.ts';
import type {PastSession, PastSessions} from '../tui/model/view.ts';
import type {ListedSession} from './commands/sessions.ts';

const program = [process.execPath, process.argv[1] ?? ''] as const;

/** Lists sessions by a process of its own, since it reads all their journals, and lends the terminal to the commands that show one. */
export const pastSessions: PastSessions = {
	list: async () => {
		const [node, script] = program;
		const {stdout} = await runProgram(node, [script, 'sessions', '--json'], {env: process.env});
		const {sessions} = JSON.parse(stdout.toString()) as {sessions: readonly ListedSession[]};
		return sessions.flatMap(({id, task, status, endedAt, folder}): readonly PastSession[] =>
			endedAt === undefined ? [] : [{id, about: `${task} (${status.toLowerCase()})`, folder}],
		);
	},
	show: async ({id, folder}, how) => {
		const pager = process.env.PAGER || 'less';
		const words =
			how === 'replay'
				? [...program, 'watch', folder]
				: ['/bin/sh', '-c', `"$0" "$1" report "$2" | ${pager}`, ...program, id];
		const {exitCode} = await runInTerminal(words);
		if (exitCode !== 0) {
			throw new Failure('refused', `Session ${id} can’t be shown.`, {
				hint: `see why: delegate-tui ${how === 'replay' ? `watch ${folder}` : `report ${id}`}`,
			});
		}

		return `Session ${id} was shown.`;
	},
};
