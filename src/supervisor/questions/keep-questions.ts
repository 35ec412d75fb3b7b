import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {
	foldersOf,
	type Plain,
	prepareHome,
	questionHome,
	readPlain,
	setAsideAnswer,
	standOf,
	watchFolders,
} from '../../control/questions/home.ts';
import type {Event} from '../../events/event.ts';
import {asFailure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {atMultiples} from '../../lib/timers.ts';
import {noRecords, type QuestionRecord, withEvent} from '../../rules/question-record.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {agentOf, isLive} from '../../state/select.ts';
import type {Questions} from '../world.ts';
import {createFinder} from './find-questions.ts';
import {isPrepared, ownHome, watchOwnFolders} from './own-folders.ts';
import {
	fileOf,
	halfWrittenMs,
	homeOf,
	inFolderOf,
	innerName,
	looksHere,
	type Room,
} from './room.ts';
import {answersText, fileError, updateFiles} from './update-files.ts';

export type QuestionsParts = Pick<Room, 'session' | 'folder' | 'state' | 'append' | 'answer'> & {
	readonly past: readonly Event[];
	/** Called with all current problems, one sentence each, and the problems with single items' files, when either has changed. */
	readonly onTrouble: (
		troubles: readonly string[],
		items: Readonly<Record<string, string>>,
	) => void;
};

/**
Keeps questions and answers as files and reads both; `PROTOCOL, Questions on disk`.

The files are a projection of the journal: after a crash the supervisor folds it and restores them. Files in the folders take effect only once they are events.
*/
export const keepQuestions = ({past, ...parts}: QuestionsParts): Questions => {
	let known = noRecords;
	let kept: Kept | undefined;
	let troubles: string | undefined;
	let working = Promise.resolve();
	let isWanted = false;
	let isOver = false;
	/** True if the last look found no problem, so that another one would find none either. */
	let isCalm = false;

	const report = (found: readonly string[], items: Readonly<Record<string, string>>): void => {
		const {questionFiles, questionErrors} = parts.state();
		troubles ??= JSON.stringify([questionFiles, questionErrors]);
		const now = JSON.stringify([found, items]);
		if (now !== troubles) {
			troubles = now;
			parts.onTrouble(found, items);
		}
	};

	const work = async (): Promise<void> => {
		isWanted = false;
		const home = parts.state().session?.settings.questionsHome;
		if (home === undefined) {
			return;
		}

		// An error in one step or question must not block the others.
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
		const errors = (await kept?.errors()) ?? {};
		isCalm = wrong.size === 0 && Object.keys(errors).length === 0;
		report([...wrong], errors);
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

	const stopLooking = atMultiples(lookAgainMs, () => {
		if (kept !== undefined && (!kept.standsStill() || !isCalm)) {
			schedule();
		}
	});

	add(past);
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
			stopLooking();
			working = working.then(work);
			await working;
			kept?.close();
		},
	};
};

/** Interval at which the supervisor checks whether it must look at all folders without a hint, in milliseconds. */
const lookAgainMs = 5000;

type Kept = {
	/** Returns whether the folders still exist; another program may have removed them, and then they are recreated. */
	readonly stands: () => Promise<boolean>;
	/** Returns whether nothing can have changed in the folders since the last call. */
	readonly standsStill: () => boolean;
	readonly updateFiles: () => Promise<void>;
	readonly look: () => Promise<void>;
	/** Returns the problems with files that agents named in waiting questions, by item. */
	readonly errors: () => Promise<Readonly<Record<string, string>>>;
	readonly close: () => void;
};

const openRoom = async (
	{session, folder, state, append, answer}: Omit<QuestionsParts, 'past'>,
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
	let stand: string | undefined;
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
		standsStill: () => {
			const before = stand;
			const own = state().agents.filter(isLive);
			stand = standOf([home, ...own.map(({id}) => ownHome(folder, id))]);
			return stand !== undefined && stand === before;
		},
		updateFiles: updateAll,
		errors: async () => {
			const open = records().filter(({closed}) => closed === undefined);
			const errors = await Promise.all(
				open.map(async record => [record.item, await fileError(room, record)] as const),
			);
			return Object.fromEntries(
				errors.flatMap(([item, error]) => (error === undefined ? [] : [[item, error]])),
			);
		},
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

/** Returns whether an event affects the question files, their content, or the space on the disk for them. */
export const affectsFiles = ({kind, aheadMs}: Event): boolean =>
	// Deadlines in the files are in wall-clock time.
	aheadMs !== undefined || kinds.has(kind);

const kinds: ReadonlySet<Event['kind']> = new Set([
	'signal.said',
	'user.decided',
	'turn.started',
	'turn.ended',
	'agent.moved',
	'question.withdrawn',
	'session.started',
	'supervisor.started',
	'machine.disk',
	'session.ended',
]);

/** Maximum length of an answer from any source, in bytes. */
const maximumBytes = 64 * 1024;

/** Reads answers from files: the first valid one counts, others are set aside with the reason. */
const takeAnswers = async (room: Room, handed: ReadonlySet<string>): Promise<void> => {
	const ending = '.txt';
	const names = await readdir(room.home.answers);
	for (const name of names.filter(name => name.endsWith(ending))) {
		const id = name.slice(0, -ending.length);
		const record = room.records().findLast(one => one.id === id);
		if (record?.closed !== undefined) {
			await (handed.has(join(room.home.answers, name)) ? undefined : tooLate(room, name, record));
		} else if (record !== undefined) {
			await take(room, name, record);
		} else if (id.startsWith(`${room.session}_`)) {
			await refuse(room, name, {item: id, why: 'This session asks no question with that name.'});
		}
	}
};

const take = async (room: Room, name: string, record: QuestionRecord): Promise<void> => {
	const path = join(room.home.answers, name);
	const found = await readPlain(path, maximumBytes);
	const why = whyUnfit(found);
	if (found.kind === 'text' && !isWhole(found)) {
		room.again(halfWrittenMs);
		return;
	}

	if (found.kind !== 'text' || why !== undefined) {
		await (found.kind === 'nothing' ? undefined : refuse(room, name, {item: record.item, why}));
		return;
	}

	try {
		await room.answer(record.item, found.text.replace(/\r?\n$/, ''), found.owner);
	} catch (error) {
		const {kind, message} = asFailure(error);
		if (kind !== 'refused' && kind !== 'usage') {
			throw error;
		}

		await refuse(room, name, {item: record.item, why: message});
		return;
	}

	// An agent that polls for its answer removes the file itself.
	if (!looksHere(room, record) || record.id !== fileOf(record)) {
		await rm(path, {force: true});
	}
};

const whyUnfit = (found: Plain): string | undefined => {
	switch (found.kind) {
		case 'nothing':
			return undefined;
		case 'unreadable':
			return `The answer can’t be used: ${found.why}.`;
		case 'text':
			return found.text.trim() === '' ? 'The answer is empty.' : undefined;
	}
};

/** Returns whether an answer is complete: its line has ended, or nothing was added for a while. */
const isWhole = ({text, changedMs}: Extract<Plain, {kind: 'text'}>): boolean =>
	(text.endsWith('\n') && text.trim() !== '') || Date.now() - changedMs >= halfWrittenMs;

/** Handles an answer to a closed question: removes the one that was taken, which a crash may have left, and refuses another one as too late. */
const tooLate = async (room: Room, name: string, {item, closed}: QuestionRecord): Promise<void> => {
	const path = join(room.home.answers, name);
	const found = await readPlain(path, maximumBytes);
	const answer = closed?.how === 'answered' ? closed.answer : undefined;
	if (found.kind === 'text' && found.text.trim() === answer?.trim()) {
		await rm(path, {force: true});
		return;
	}

	const why =
		answer === undefined
			? `${item} no longer needs an answer.`
			: `${item} was answered already: ${answer}`;
	await refuse(room, name, {item, why});
};

const refuse = async (
	room: Room,
	name: string,
	{item, why = ''}: {readonly item: string; readonly why?: string | undefined},
): Promise<void> => {
	const aside = await setAsideAnswer(room.home, name, why);
	await room.append([{kind: 'answer.rejected', item, why, ...aside}]);
};

/** Delivery of answers to agents that poll for files. */
export type HandOver = {
	/** Returns the paths of the answer files that wait for agents. */
	readonly handed: () => ReadonlySet<string>;
	/** Writes answers, and records which ones agents have taken. */
	readonly look: () => Promise<void>;
};

type Handed = {
	readonly path: string;
	readonly record: QuestionRecord;
	readonly agent: string;
	readonly turn: number;
	readonly items: readonly string[];
};

/** Creates the delivery of answers. An answer counts as delivered once the agent has removed its file; if the turn ends before, the answer comes with the next prompt. */
const createHandOver = (room: Room): HandOver => {
	const handed = new Map<string, Handed>();

	const readAnswer = async (record: QuestionRecord, most: number): Promise<Plain> =>
		(await inFolderOf(room, record, 'answers', folder =>
			readPlain(join(folder, nameFor(record)), most),
		)) ?? {kind: 'nothing'};

	const layDown = async (agent: Agent, file: string): Promise<void> => {
		const records = room.records().filter(record => fileOf(record) === file);
		const items = agent.replies.filter(reply => reply.file === file).map(({item}) => item);
		if (records.some(({closed}) => closed === undefined) && isWholeAnswer(room, file)) {
			return;
		}

		const [record] = records;
		const isInner = record?.file?.inner !== undefined;
		if (record === undefined || (isInner && !(await isPrepared(homeOf(room, record))))) {
			return;
		}

		const path = join(homeOf(room, record).answers, nameFor(record));
		const text = `${answersText(records.filter(({item}) => items.includes(item)))}\n`;
		const found = await readAnswer(record, text.length + 1024);
		const isTaken = records.length === 1 && isFromFile(record);
		if (found.kind === 'nothing' && isTaken && !isInner) {
			await room.append([
				{kind: 'reply.delivered', agent: agent.id, turn: agent.turn.number, items},
			]);
			return;
		}

		if (found.kind !== 'text' || found.text !== text) {
			await inFolderOf(room, record, 'answers', folder =>
				writeAtomically(join(folder, nameFor(record)), text, {mode: 0o600}),
			);
		}

		handed.set(file, {path, record, agent: agent.id, turn: agent.turn.number, items});
	};

	const check = async (file: string, {record, agent: id, turn, items}: Handed): Promise<void> => {
		const agent = agentOf(room.state(), id);
		const found = await readAnswer(record, 1024 ** 2);
		const waits = agent?.replies.some(reply => reply.file === file && !reply.escalated);
		if (agent && isLive(agent) && agent.turn.number === turn && waits) {
			if (found.kind === 'nothing') {
				handed.delete(file);
				await room.append([{kind: 'reply.delivered', agent: id, turn, items}]);
			}

			return;
		}

		handed.delete(file);
		await inFolderOf(room, record, 'answers', folder =>
			rm(join(folder, nameFor(record)), {force: true}),
		);
	};

	return {
		handed: () => new Set([...handed.values()].map(({path}) => path)),
		look: async () => {
			for (const [file, what] of [...handed]) {
				await check(file, what);
			}

			for (const agent of room.state().agents.filter(isLive)) {
				const files = agent.replies.flatMap(({file, escalated}) =>
					file === undefined || escalated || handed.has(file) ? [] : [file],
				);
				for (const file of new Set(files)) {
					await layDown(agent, file);
				}
			}
		},
	};
};

/** Returns the name of the file in which the agent looks for the answer. */
const nameFor = (record: QuestionRecord): string => `${innerName(record)}.txt`;

/** Returns whether the answer came from a file, which the agent has already read. */
const isFromFile = ({closed}: QuestionRecord): boolean =>
	closed?.how === 'answered' && closed.by === 'file';

/** Returns whether an agent needs the answers to all questions of a file at once. */
const isWholeAnswer = (room: Room, file: string): boolean =>
	room
		.state()
		.items.some(
			item => item.kind === 'question' && item.file?.id === file && item.holds && !item.anyAnswer,
		);
