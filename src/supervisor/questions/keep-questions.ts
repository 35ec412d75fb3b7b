import {mkdir, readdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
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
import {fileOf, halfWrittenMs, homeOf, innerName, looksHere, type Room} from './room.ts';
import {answersText, fileError, updateFiles} from './update-files.ts';

export type QuestionsParts = Pick<Room, 'session' | 'folder' | 'state' | 'append' | 'answer'> & {
	readonly past: readonly Event[];
	/** Called with all that is wrong, a sentence each, and with what is wrong with the files of single items, whenever that has changed. */
	readonly onTrouble: (
		troubles: readonly string[],
		items: Readonly<Record<string, string>>,
	) => void;
};

/**
Keeps questions and answers as files, in both directions; `PROTOCOL, Questions on disk`.

Files are a projection of the journal: whoever comes after a crash folds it and brings them to the same. What lies in the folders is believed only once it is an event.
*/
export const keepQuestions = ({past, ...parts}: QuestionsParts): Questions => {
	let known = noRecords;
	let kept: Kept | undefined;
	let troubles: string | undefined;
	let working = Promise.resolve();
	let isWanted = false;
	let isOver = false;
	/** Whether nothing was wrong at the last look, so that another one would find the same. */
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

/** How often it is seen whether all folders must be looked at although nothing was told, in milliseconds. */
const lookAgainMs = 5000;

type Kept = {
	/** Whether its folders are there; whoever clears up may have removed them, and they are recreated. */
	readonly stands: () => Promise<boolean>;
	/** Whether nothing can have changed in its folders since the last call. */
	readonly standsStill: () => boolean;
	readonly updateFiles: () => Promise<void>;
	readonly look: () => Promise<void>;
	/** Returns what is wrong with files that agents named with questions which wait, by item. */
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

/** Returns whether an event changes which files of questions there are to be, what they say, or whether there is room for them. */
export const affectsFiles = ({kind, aheadMs}: Event): boolean =>
	// The deadline in a file is a time of the clock.
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

/** No answer is longer, wherever it comes from. */
const maximumBytes = 64 * 1024;

/** Takes the answers that lie in files: the first one that fits counts, any other is set aside with the reason. */
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

	// An agent that looks for its answer itself is left the file.
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

/** A crash may have left an answer that was taken; another one came too late. */
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

/** Hands answers to agents that look for them in files. */
export type HandOver = {
	/** Paths of the files that lie there for an agent. */
	readonly handed: () => ReadonlySet<string>;
	/** Lays down what was decided, and takes notice of what was taken. */
	readonly look: () => Promise<void>;
};

type Handed = {
	readonly path: string;
	readonly agent: string;
	readonly turn: number;
	readonly items: readonly string[];
};

/** Creates the handover of answers. An answer counts as delivered once the agent has removed its file; until then a turn that ends gets it with its next prompt. */
const createHandOver = (room: Room): HandOver => {
	const handed = new Map<string, Handed>();

	const layDown = async (agent: Agent, file: string): Promise<void> => {
		const records = room.records().filter(record => fileOf(record) === file);
		const items = agent.replies.filter(reply => reply.file === file).map(({item}) => item);
		if (records.some(({closed}) => closed === undefined) && isWholeAnswer(room, file)) {
			return;
		}

		const [first] = records;
		const isInner = first?.file?.inner !== undefined;
		if (first === undefined || (isInner && !(await isPrepared(homeOf(room, first))))) {
			return;
		}

		const path = pathFor(room, first);
		const text = `${answersText(records.filter(({item}) => items.includes(item)))}\n`;
		const found = await readPlain(path, text.length + 1024);
		const isTaken = records.length === 1 && isFromFile(first);
		if (found.kind === 'nothing' && isTaken && first.file?.inner === undefined) {
			await room.append([
				{kind: 'reply.delivered', agent: agent.id, turn: agent.turn.number, items},
			]);
			return;
		}

		if (found.kind !== 'text' || found.text !== text) {
			await mkdir(dirname(path), {recursive: true, mode: 0o700});
			await writeAtomically(path, text, {mode: 0o600});
		}

		handed.set(file, {path, agent: agent.id, turn: agent.turn.number, items});
	};

	const check = async (file: string, {path, agent: id, turn, items}: Handed): Promise<void> => {
		const agent = agentOf(room.state(), id);
		const found = await readPlain(path, 1024 ** 2);
		const waits = agent?.replies.some(reply => reply.file === file && !reply.escalated);
		if (agent && isLive(agent) && agent.turn.number === turn && waits) {
			if (found.kind === 'nothing') {
				handed.delete(file);
				await room.append([{kind: 'reply.delivered', agent: id, turn, items}]);
			}

			return;
		}

		handed.delete(file);
		await rm(path, {force: true});
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

/** Returns the path at which the agent looks for the answer. */
const pathFor = (room: Room, record: QuestionRecord): string =>
	join(homeOf(room, record).answers, `${innerName(record)}.txt`);

/** Returns whether the answer came from a file, which the agent has read already. */
const isFromFile = ({closed}: QuestionRecord): boolean =>
	closed?.how === 'answered' && closed.by === 'file';

/** Whether an agent needs the answers to all questions of a file at once. */
const isWholeAnswer = (room: Room, file: string): boolean =>
	room
		.state()
		.items.some(
			item => item.kind === 'question' && item.file?.id === file && item.holds && !item.anyAnswer,
		);
