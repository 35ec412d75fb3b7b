import type {Body} from '../../events/event.ts';
import {fold} from '../../state/apply/apply.ts';
import {keepDocuments} from '../documents/documents.ts';
import {appendEvents} from '../session.ts';
import type {StartParts} from '../start-session.ts';
import type {UndoContext} from '../undo/undo-offer.ts';
import {serially} from '../world.ts';
import {openSessionJournal} from './open-journal.ts';
import {requireEvent} from './require-event.ts';

/**
Opens the journal of a session that has ended, for what may still happen to its merge.

Nothing of the session goes on by it: no loop runs, nothing is owed. Its documents are brought up to date when something was written.
*/
export const withEndedSession = async <Result>(
	{folder, repository, store, log}: Pick<StartParts, 'folder' | 'repository' | 'store' | 'log'>,
	id: string,
	use: (context: UndoContext) => Promise<Result>,
): Promise<Result> => {
	const journal = await openSessionJournal({folder, log}, id);
	const past = journal.entries.map(requireEvent);
	let events = past;
	const now = () => new Date().toISOString();
	const append = async (bodies: readonly Body[]): Promise<void> => {
		const at = now();
		const timed = bodies.map(body => ({...body, at}));
		events = [...events, ...(await appendEvents(journal, timed))];
	};

	try {
		const state = () => fold(events);
		return await use({repository, store, session: id, state, append, now, serially: serially()});
	} finally {
		if (events.length > past.length) {
			const root = fold(events).session?.repository.root ?? repository.root;
			const documents = keepDocuments({root, onTrouble: troubles => troubles.forEach(log)});
			documents.add(events);
			await documents.flush();
		}

		await journal.close();
	}
};
