import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {findHere, readLastSession, requireActiveSession} from '../here.ts';
import {print, printAs} from '../output.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';
import {waitingText} from './inbox.ts';
import {printStatus} from './status.ts';

type Options = {readonly all?: true; readonly json?: boolean};

export const addSync = (program: Command): void => {
	program
		.command('sync [agents...]')
		.description(
			'what waits; with agents: build, check and ask approval for their accepted work now',
		)
		.option('--all', 'for all work that is accepted so far')
		.option('--json', 'as JSON')
		.action(async (agents: readonly string[], {all, json}: Options) => {
			const here = await findHere();
			if (agents.length === 0 && !all) {
				await printStatus(here, json ?? false);
				const session = await readLastSession(here);
				if (!json && session !== undefined && session.state.items.length > 0) {
					print(await waitingText(session, here));
				}

				return;
			}

			if (agents.length > 0 && all) {
				throw new Failure('usage', 'Name agents, or give --all, not both.', {
					hint: 'leave out --all, or the agents',
				});
			}

			requirePerson(here, 'starting');
			await requireActiveSession(here);
			const answer = await askSupervisor(here, {do: 'merge', agents: all ? 'accepted' : agents});
			const words =
				'The result is built and checked now; then an approval waits for you: delegate-tui inbox';
			printAs({json}, {ok: true, ...Object(answer)}, words);
		});
};
