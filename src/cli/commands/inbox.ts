import type {Command} from 'commander';
import {readTelemetry} from '../../client/activity/accounts.ts';
import {planValues} from '../../client/follow-session.ts';
import {itemText} from '../../client/texts/item-text.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {type InboxItem, inbox, withSpent, withValues} from '../../rules/inbox.ts';
import {noticesOf} from '../../rules/notices.ts';
import {readEnvironments} from '../../supervisor/machine/environments.ts';
import {tryToWakeSupervisor} from '../awake.ts';
import {findHere, type Here, type LastSession, readLastSession} from '../here.ts';
import {columnsHere, faultField, faultLines, print, printJson} from '../output.ts';

export const addInbox = (program: Command): void => {
	program
		.command('inbox')
		.description('what waits for you')
		.option('--json', 'as JSON')
		.action(showInbox);
};

export const showInbox = async ({json}: {readonly json?: boolean}): Promise<void> => {
	const here = await findHere();
	const session = await readLastSession(here);
	await tryToWakeSupervisor(here, session);
	const items = session ? await inboxItems(session) : [];
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
};

export const waitingText = async (session: LastSession, here: Here): Promise<string> =>
	itemsText(await inboxItems(session), here);

/** Returns the items that wait for a person, with data that is in no event. */
export const inboxItems = async ({
	state,
	folder,
}: Pick<LastSession, 'state' | 'folder'>): Promise<readonly InboxItem[]> => {
	const told = await readTelemetry(folder.telemetry);
	const sets = await planValues(state, () => readEnvironments(folder.environments, state));
	return inbox(state).map(item =>
		withValues(
			withSpent(item, agent => told[agent]?.spent),
			sets ?? {},
		),
	);
};

const itemsText = (items: readonly InboxItem[], {folder}: Here): string =>
	items.length === 0
		? 'Nothing waits for you.'
		: [
				...items.map(item => itemText(item, folder.store, columnsHere())),
				'Decide: delegate-tui answer ITEM CHOICE [--note TEXT]',
			].join('\n\n');
