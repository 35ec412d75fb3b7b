import {eventText} from '../../../client/texts/event-text.ts';
import {refsBelow} from '../../../git/store/store.ts';
import {isLocked} from '../../../journal/lock.ts';
import {Failure} from '../../../lib/failure.ts';
import {isThere} from '../../../lib/files/reading.ts';
import {inShell} from '../../../lib/text/shell-words.ts';
import {defined} from '../../../lib/values.ts';
import {fold} from '../../../state/apply/apply.ts';
import {undoOf} from '../../../state/merge/publication.ts';
import {setAside, supervisorAtWork} from '../../../supervisor/past/set-aside.ts';
import type {Here} from '../../here.ts';
import {print, printAs} from '../../output.ts';
import {requireYes} from '../../questions.ts';
import {keptWork} from '../leftovers/clean.ts';
import {type DamagedSession, wholePart} from './lost-sessions.ts';
import {readSessions, type SessionRecord} from './read-sessions.ts';

type Options = {readonly json?: boolean; readonly yes?: boolean};

/**
Sets a session with a damaged journal aside, after the person has seen its undamaged part and said yes.

Nothing of it is removed or moved.
*/
export const setSessionAside = async (
	here: Here,
	id: string,
	{json = false, yes = false}: Options,
): Promise<void> => {
	const session = await find(here, id);
	if (session.kind === 'aside') {
		printAs(
			{json},
			{ok: true, session: id, folder: session.folder.path, ...session.aside},
			`${id} was set aside already, on ${session.aside.at.slice(0, 10)}.`,
		);
		return;
	}

	if (isLocked(here.folder.lock)) {
		throw supervisorAtWork(id);
	}

	if (session.kind === 'damaged' && !json) {
		print((await description(here, session)).join('\n'));
	}

	if (session.kind === 'damaged' && !yes) {
		await requireYes('Set it aside, so that a new session can start?', {
			undone: 'Nothing was done',
			hint: `delegate-tui doctor --set-aside ${id} --yes`,
		});
	}

	const at = new Date().toISOString();
	const survivors = await setAside(here.folder, id, at);
	const {path} = session.folder;
	printAs(
		{json},
		{ok: true, session: id, folder: path, at, work: await keptWork(session.folder), survivors},
		[
			`${id} is set aside; all of it stays in ${path}. A new session can start.`,
			`To see its undamaged part: delegate-tui log ${id}, or delegate-tui watch ${inShell(path)}`,
			...survivors.map(({pid, command}) => `It left a process that still runs: ${pid} ${command}`),
		].join('\n'),
	);
};

/** @throws The reason why the session can't be read, or that there is none. */
const find = async ({folder}: Here, id: string): Promise<SessionRecord> => {
	const session = (await readSessions(folder)).find(one => one.id === id);
	if (session === undefined) {
		throw new Failure('usage', `There is no session ${id} in this repository.`, {
			hint: 'delegate-tui doctor names those that are damaged',
		});
	}

	if (session.kind === 'unreadable') {
		const {kind, message, hint} = session.failure;
		throw new Failure(kind, `${message} That is not damage, so ${id} was not set aside.`, {
			...defined({hint}),
			cause: session.failure,
		});
	}

	return session;
};

const description = async (here: Here, session: DamagedSession): Promise<readonly string[]> => {
	const {id, fault, events, folder} = session;
	const last = events.at(-1);
	const work = await keptWork(folder);
	return [
		fault.message,
		`What can be believed: ${wholePart(session)}${last === undefined ? '.' : ':'}`,
		...(last === undefined ? [] : [`  ${eventText(last)}`]),
		...(work.length === 0 ? [] : ['Its work is in these folders, and stays there:']),
		...work.map(({of, path}) => `  ${of}  ${path}`),
		...(await pinned(here, id)),
		...movesUnderWay(here, session),
	];
};

const pinned = async ({folder}: Here, id: string): Promise<readonly string[]> => {
	const {size} = (await isThere(folder.store))
		? await refsBelow({gitDir: folder.store}, `refs/delegate/${id}`)
		: new Map<string, string>();
	return size === 0 ? [] : [`Its pinned commits (${size}) stay in ${folder.store}`];
};

/** Names interrupted moves, which the person has to check, since no session will finish them. */
const movesUnderWay = ({repository}: Here, {events}: DamagedSession): readonly string[] => {
	const state = fold(events);
	const {merge, session, interrupted} = state;
	const isMoving =
		merge.phase === 'intended' || interrupted.length > 0 || undoOf(state) !== undefined;
	return isMoving
		? [
				`${session?.target ?? 'Your branch'} was just being moved: look at "git status" in ${repository.root}.`,
			]
		: [];
};
