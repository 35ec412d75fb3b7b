import {readdir, rm} from 'node:fs/promises';
import {dropBase} from '../../git/repository/base-ref.ts';
import {diskFiles} from '../../journal/files.ts';
import {readIfThere} from '../../journal/read.ts';
import {asFailure} from '../../lib/failure.ts';
import {type SessionFolder, sessionsOf} from '../folder.ts';
import type {StartParts} from '../start-session.ts';
import {isEarly} from './read-session.ts';

/**
Takes away what is left of sessions whose supervisor died before their first event: a folder, a ref in the person's repository, maybe the lock of that ref.

Nobody was told of such a session, and nobody else would ever come back to it. What stands against it is for the log, and for the next start. Hold the supervisor's lock: to another one this session may just be beginning.
*/
export const removeUnstarted = async ({
	folder,
	repository,
	log,
}: Pick<StartParts, 'folder' | 'repository' | 'log'>): Promise<void> => {
	for (const id of await sessionsOf(folder)) {
		try {
			if (!(await isBlank(folder.session(id)))) {
				continue;
			}

			const busy = await dropBase(repository, id);
			if (busy === undefined) {
				await rm(folder.session(id).path, {recursive: true});
			} else {
				log(`what is left of ${id}, which never began, stays for now: ${busy.message}`);
			}
		} catch (error) {
			log(`what is left of ${id} could not be looked at or removed: ${asFailure(error).message}`);
		}
	}
};

/** Half a line may have been a session's first event, so it isn't nothing. */
const isBlank = async (folder: SessionFolder): Promise<boolean> => {
	const names = await readdir(folder.path);
	if (!names.every(name => isEarly(folder, name))) {
		return false;
	}

	const reading = await readIfThere(folder.journal, diskFiles);
	return reading === undefined || (reading.entries.length === 0 && reading.end.kind === 'whole');
};
