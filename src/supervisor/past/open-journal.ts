import {type Journal, openJournal} from '../../journal/writer.ts';
import type {StartParts} from '../world.ts';

/** Opens a session's journal for appending; logs a torn end even if opening fails. */
export const openSessionJournal = async (
	{folder, log, requireLock}: Pick<StartParts, 'folder' | 'log' | 'requireLock'>,
	id: string,
): Promise<Journal> => {
	const journal = await openJournal({
		folder: folder.session(id).journal,
		session: id,
		requireLock,
	});
	if (journal.tornTail !== undefined) {
		log(`the end of the journal of ${id} was torn; the torn part is kept in ${journal.tornTail}`);
	}

	return journal;
};
