import type {Command} from 'commander';
import {findHere, requireActiveSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';

/** `add`: one more agent in the active session. */
export const addAdd = (program: Command): void => {
	program
		.command('add <subtask>')
		.description('one more agent in the active session')
		.option('--like <agent>', 'the agent whose command and scope it gets; the first one by default')
		.option('--json', 'as JSON')
		.action(async (task: string, {like, json}: {like?: string; json?: boolean}) => {
			const here = await findHere();
			requirePerson(here);
			await requireActiveSession(here);
			const answer = await askSupervisor(here, {
				do: 'add',
				task,
				...(like === undefined ? {} : {like}),
			});
			if (json) {
				printJson({ok: true, ...(typeof answer === 'object' ? answer : {})});
			} else {
				print('Added. Watch it: delegate-tui status');
			}
		});
};
