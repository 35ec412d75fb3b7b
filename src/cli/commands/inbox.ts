import type {Command} from 'commander';
import {readTelemetry} from '../../client/activity/accounts.ts';
import {itemText} from '../../client/texts/item-text.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {type InboxItem, inbox, withSpent} from '../../rules/inbox.ts';
import {noticesOf} from '../../rules/notices.ts';
import {findHere, type Here, type LastSession, readLastSession} from '../here.ts';
import {columnsHere, faultField, faultLines, print, printJson} from '../output.ts';
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
			const items = session ? await itemsOf(session) : [];
			if (json) {
				printJson({items, ...faultField(session)});
				return;
			}

			if (session !== undefined) {
				faultLines(session).forEach(print);
			}

			if (items.length === 0 && session?.fault !== undefined) {
				return;
			}

			const notices = session
				? noticesOf(session.state, thisMoment()).flatMap(({text, hints = []}) => [
						text,
						...hints.map(hint => `  ${hint}`),
					])
				: [];
			print([itemsText(items, here), ...notices].join('\n'));
		});
};

/** Returns what waits for a person in a session, as text. */
export const waitingText = async (session: LastSession, here: Here): Promise<string> =>
	itemsText(await itemsOf(session), here);

const itemsOf = async ({state, folder}: LastSession): Promise<readonly InboxItem[]> => {
	const told = await readTelemetry(folder.telemetry);
	return inbox(state).map(item => withSpent(item, agent => told[agent]?.spent));
};

const itemsText = (items: readonly InboxItem[], {folder}: Here): string =>
	items.length === 0
		? 'Nothing waits for you.'
		: [
				...items.map(item => itemText(item, folder.store, columnsHere())),
				'Decide: delegate-tui answer ITEM CHOICE [--note TEXT]',
			].join('\n\n');
