import type {Command} from 'commander';
import {isEvent} from '../../events/decode.ts';
import {encodeLine} from '../../journal/codec.ts';
import {faultFailure} from '../../journal/fault-failure.ts';
import {readJournal} from '../../journal/read.ts';
import {eventText} from '../event-text.ts';
import {findHere, readLastSession} from '../here.ts';
import {print} from '../output.ts';
import {tryToWakeSupervisor} from '../reach-supervisor.ts';

/** `log`: the events of the session. */
export const addLog = (program: Command): void => {
	program
		.command('log')
		.description('what happened, event by event')
		.option('--json', 'one event per line, as journaled')
		.action(async ({json}: {json?: boolean}) => {
			const here = await findHere();
			const session = await readLastSession(here);
			await tryToWakeSupervisor(here, session);
			if (!session) {
				if (!json) {
					print('No session in this repository yet.');
				}

				return;
			}

			const {entries, end} = await readJournal(session.folder.journal);
			for (const entry of entries) {
				if (json) {
					process.stdout.write(encodeLine(entry));
				} else {
					print(isEvent(entry) ? eventText(entry) : `${entry.at}  ${entry.kind}`);
				}
			}

			// What is not there any more must not look as if it had never been.
			if (end.kind === 'corrupt' || end.kind === 'unknown-version') {
				throw faultFailure(session.folder.journal, end);
			}
		});
};
