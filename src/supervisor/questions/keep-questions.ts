import {foldersOf, prepareHome, questionHome} from '../../control/questions/home.ts';
import {watchFolders} from '../../control/questions/watch-folders.ts';
import type {Event} from '../../events/event.ts';
import {asFailure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/is-there.ts';
import {noRecords, withEvent} from '../../rules/questions/record.ts';
import {affectsFiles} from './affects-files.ts';
import {createFinder} from './find-questions.ts';
import {createHandOver} from './hand-over.ts';
import type {Room} from './room.ts';
import {takeAnswers} from './take-answers.ts';
import {updateFiles} from './update-files.ts';
import {watchOwnFolders} from './watch-own-folders.ts';

/** The files of a session's questions and answers. */
export type Questions = {
	/** Takes up events that were written; the files follow. */
	readonly add: (events: readonly Event[]) => void;
	/** Settles when all that lies in the folders now was looked at, and the files show what is known. */
	readonly look: () => Promise<void>;
	/** Settles when the files show all that was added; nothing is looked at any more. */
	readonly close: () => Promise<void>;
};

export type QuestionsParts = Pick<Room, 'session' | 'folder' | 'state' | 'append' | 'answer'> & {
	readonly past: readonly Event[];
	/** Called with all that is wrong, a sentence each, whenever that has changed. */
	readonly onTrouble: (troubles: readonly string[]) => void;
};

/**
Keeps questions and answers as files, in both directions; `PROTOCOL, Questions on disk`.

Files are a projection of the journal: whoever comes after a crash folds it and brings them to the same. What lies in the folders is believed only once it is an event.
*/
export const keepQuestions = (parts: QuestionsParts): Questions => {
	let known = noRecords;
	let kept: Kept | undefined;
	let troubles: string | undefined;
	let working = Promise.resolve();
	let isWanted = false;
	let isOver = false;

	const report = (found: readonly string[]): void => {
		troubles ??= parts.state().questionFiles.join('\n');
		if (found.join('\n') !== troubles) {
			troubles = found.join('\n');
			parts.onTrouble(found);
		}
	};

	const work = async (): Promise<void> => {
		isWanted = false;
		const home = parts.state().session?.settings.questionsHome;
		if (home === undefined) {
			return;
		}

		// What goes wrong with one step, or with one question, must not hold up the others.
		const wrong = new Set<string>();
		const trying = async (step: () => Promise<void>): Promise<void> => {
			await step().catch(error => {
				wrong.add(`Questions can’t be kept as files: ${asFailure(error).message}`);
			});
		};
		await trying(async () => {
			if (kept !== undefined && !(await kept.stands())) {
				kept.close();
				kept = undefined;
			}

			kept ??= await openRoom(parts, home, () => known.records, schedule);
		});
		await (kept === undefined || isOver ? undefined : trying(kept.look));
		await (kept === undefined ? undefined : trying(kept.updateFiles));
		report([...wrong]);
	};

	const schedule = (): void => {
		if (!isWanted && !isOver) {
			isWanted = true;
			working = working.then(work);
		}
	};

	const add = (events: readonly Event[]): void => {
		for (const event of events) {
			known = withEvent(known, event);
		}
	};

	add(parts.past);
	return {
		add: events => {
			add(events);
			if (events.some(affectsFiles)) {
				schedule();
			}
		},
		look: () => {
			working = working.then(work);
			return working;
		},
		close: async () => {
			isOver = true;
			working = working.then(work);
			await working;
			kept?.close();
		},
	};
};

type Kept = {
	/** Whether its folders are there; whoever clears up may have removed them, and they are recreated. */
	readonly stands: () => Promise<boolean>;
	readonly updateFiles: () => Promise<void>;
	readonly look: () => Promise<void>;
	readonly close: () => void;
};

const openRoom = async (
	{session, folder, state, append, answer}: QuestionsParts,
	path: string,
	records: Room['records'],
	onChange: () => void,
): Promise<Kept> => {
	const home = questionHome(path);
	const [trouble] = await prepareHome(home);
	if (trouble !== undefined) {
		throw new Error(trouble);
	}

	const again = (ms: number): void => void setTimeout(onChange, ms).unref();
	const room: Room = {home, session, folder, state, records, append, answer, again};
	const settled = new Set<string>();
	const own = watchOwnFolders({folder, state, onChange});
	const stop = watchFolders([home.pending, home.answers], onChange);
	const find = createFinder(room, settled);
	const handOver = createHandOver(room);
	const updateAll = async (): Promise<void> => {
		const troubles: unknown[] = [];
		for (const record of records().filter(({item}) => !settled.has(item))) {
			try {
				if (await updateFiles(room, record)) {
					settled.add(record.item);
				}
			} catch (error) {
				troubles.push(error);
			}
		}

		if (troubles.length > 0) {
			throw troubles[0];
		}
	};

	return {
		stands: async () => (await Promise.all(foldersOf(home).map(isThere))).every(Boolean),
		updateFiles: updateAll,
		look: async () => {
			await find(await own.look());
			await takeAnswers(room, handOver.handed());
			await handOver.look();
		},
		close: () => {
			own.close();
			stop();
		},
	};
};
