import type {Command} from 'commander';
import {readOrder} from '../agent-order.ts';
import {carriedOut} from '../carried-out.ts';
import {eventIn} from '../event-in.ts';
import {findHere, requireActiveSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';

type Options = {json?: boolean; now?: true};

/** `agent`: have one agent do something, whatever it is at. */
export const addAgent = (program: Command): void => {
	program
		.command('agent <id> <verb> [words...]')
		.description('steer one agent: message TEXT, pause, resume, stop')
		.option('--now', 'of a message: cut its turn short for it, instead of waiting for the next one')
		.option('--json', 'as JSON')
		.action(async (id: string, verb: string, words: string[], {json, ...options}: Options) => {
			const order = readOrder(verb, words, options);
			const here = await findHere();
			requirePerson(here);
			const session = await requireActiveSession(here);
			const answer = await askSupervisor(here, {do: 'steer', agent: id, order});
			const event = eventIn(answer);
			const done = await carriedOut(session, id, order, event.seq);
			if (json) {
				printJson({ok: true, event});
			} else {
				print(done);
			}
		});
};
