import {Failure} from '../lib/failure.ts';
import {runInTerminal} from '../lib/process/lend-terminal.ts';
import {runProgram} from '../lib/process/run-program.ts';
import type {PastSession, PastSessions, SessionView} from '../tui/model/view.ts';
import type {ListedSession} from './commands/sessions.ts';

const program = [process.execPath, process.argv[1] ?? ''] as const;

/** Lists sessions by a process of its own, since it reads all their journals, and lends the terminal to the commands that show or clean up one. */
export const pastSessions: PastSessions = {
	list: async () => {
		const [node, script] = program;
		const {stdout} = await runProgram(node, [script, 'sessions', '--json'], {env: process.env});
		const {sessions} = JSON.parse(stdout.toString()) as {sessions: readonly ListedSession[]};
		return sessions.flatMap(({id, task, status, endedAt, folder}): readonly PastSession[] =>
			endedAt === undefined ? [] : [{id, about: `${task} (${status.toLowerCase()})`, folder}],
		);
	},
	show: async (session, how) => {
		const {words, done, behind} = ways[how](session);
		const {exitCode} = await runInTerminal([
			'/bin/sh',
			'-c',
			`"$@" ${behind}`,
			'sh',
			...program,
			...words,
		]);
		if (exitCode !== 0) {
			throw new Failure('refused', `Session ${session.id} can’t be shown.`, {
				hint: `see why: delegate-tui ${words.join(' ')}`,
			});
		}

		return `Session ${session.id} was ${done}.`;
	},
};

/** The words of the command for each way to see a session, and what the shell does with its output. */
const ways: Readonly<
	Record<
		SessionView,
		(session: PastSession) => {words: readonly string[]; done: string; behind: string}
	>
> = {
	replay: ({folder}) => ({words: ['watch', folder], done: 'shown', behind: ''}),
	report: ({id}) => ({
		words: ['report', id],
		done: 'shown',
		behind: `| ${process.env.PAGER || 'less'}`,
	}),
	// What was removed would be gone with the screen that comes back.
	clean: ({id}) => ({
		words: ['doctor', '--clean', '--session', id],
		done: 'looked through',
		behind: '; printf "Enter leads back. "; read -r _',
	}),
};
