import type {Command} from 'commander';
import {interruptedNotice} from '../../rules/notices.ts';
import {followUntilEnd} from '../follow-session.ts';
import {findHere, requireActiveSession} from '../here.ts';
import {printAs} from '../output.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';

export const addStop = (program: Command): void => {
	program
		.command('stop')
		.description('end the session; work is kept')
		.option('--json', 'as JSON')
		.action(async ({json}: {json?: boolean}) => {
			const here = await findHere();
			requirePerson(here, 'starting');
			const session = await requireActiveSession(here);
			const answer = await askSupervisor(here, {do: 'stop'});
			const state = await followUntilEnd(here, session.folder);
			const words = [
				`Session ${session.id} has ended. Its work is kept in ${session.folder.path}.`,
				...interruptedNotice(state).map(({text}) => text),
			];
			printAs({json}, {ok: true, ...Object(answer)}, words.join('\n'));
		});
};
