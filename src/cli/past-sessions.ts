import {Failure} from '../lib/failure.ts';
import {runInTerminal} from '../lib/process/lend-terminal.ts';
import {runProgram} from '../lib/process/run-program.ts';
import type {PastSession, PastSessions} from '../tui/model/view.ts';
import type {ListedSession} from './commands/sessions.ts';

const program = [process.execPath, process.argv[1] ?? ''] as const;

/** Lists sessions in a child process, since it reads all their journals, and lends the terminal to the commands that show or clean up one. */
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
		const {words, behind, done} = {
			replay: {words: ['watch', folder], behind: '', done: 'shown'},
			report: {words: ['report', id], behind: `| ${pager}`, done: 'shown'},
			// Its output would disappear when the screen returns.
			clean: {
				words: ['doctor', '--clean', '--session', id],
				behind: '; printf "Enter leads back. "; read -r _',
				done: 'looked through',
			},
		}[how];
		const shell = ['/bin/sh', '-c', `"$@" ${behind}`, 'sh'];
		const {exitCode} = await runInTerminal([...shell, ...program, ...words]);
		if (exitCode !== 0) {
			throw new Failure('refused', `Session ${id} can’t be shown.`, {
				hint: `see why: delegate-tui ${words.join(' ')}`,
			});
		}

		return `Session ${id} was ${done}.`;
	},
};
