import type {Command} from 'commander';
import {itemText} from '../../client/texts/item-text.ts';
import {inbox} from '../../rules/inbox.ts';
import {findHere, readLastSession} from '../here.ts';
import {columnsHere, print, printJson} from '../output.ts';
import {tryToWakeSupervisor} from '../reach-supervisor.ts';

/** `inbox`: what waits for a person. */
export const addInbox = (program: Command): void => {
	program
		.command('inbox')
		.description('what waits for you')
		.option('--json', 'as JSON')
		.action(async ({json}: {json?: boolean}) => {
			const here = await findHere();
			const session = await readLastSession(here);
			await tryToWakeSupervisor(here, session);
			const items = session ? inbox(session.state) : [];
			if (json) {
				printJson({items});
				return;
			}

			print(
				items.length === 0
					? 'Nothing waits for you.'
					: `${items.map(item => itemText(item, here.folder.store, columnsHere())).join('\n\n')}\n\nDecide: delegate-tui answer ITEM CHOICE [--note TEXT]`,
			);
		});
};
