import {readdir} from 'node:fs/promises';
import {basename} from 'node:path';
import type {Event} from '../../events/event.ts';
import {faultFailure, foreignFailure} from '../../journal/fault-failure.ts';
import {diskFiles} from '../../journal/files.ts';
import {type JournalReading, readIfThere} from '../../journal/read.ts';
import type {Position} from '../../journal/scan.ts';
import {Failure} from '../../lib/failure.ts';
import {fold, isEvent} from '../../state/apply/apply.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import {readStateCheckpoint, type StateCheckpoint} from './checkpoint.ts';

/** Readable part of a session's journal, and the state after it. */
export type SessionReading = {
	readonly id: string;
	readonly folder: SessionFolder;
	/** All valid events, in order. */
	readonly events: readonly Event[];
	readonly state: State;
	/** End of those events in the journal. */
	readonly position?: Position | undefined;
	/** Reason why the journal can't be continued: it is damaged, or written by a later version. A retry won't change that. */
	readonly fault: Failure | undefined;
};

/**
Reads the journal of a session without changing it.

Damage is no error here, since the events before it are valid and people want to see them.

@throws `Failure` for a disk or permission error, which says nothing about the journal
*/
export const readSession = (id: string, folder: SessionFolder): Promise<SessionReading> =>
	readBehind(id, folder, undefined);

/** Reads the current state of a session, from its last checkpoint if it has one: the journal before that is hashed, but neither decoded nor folded. */
export const readStanding = async (
	id: string,
	folder: SessionFolder,
	program?: string,
): Promise<StandingSession> => readBehind(id, folder, await readStateCheckpoint(folder, program));

/** Reads the events of a session since the last reading; rereads a journal with a fault, which may have been repaired. */
export const readOn = ({
	id,
	folder,
	state,
	position,
	fault,
}: StandingSession): Promise<StandingSession> =>
	fault === undefined && position !== undefined
		? readBehind(id, folder, {state, position})
		: readStanding(id, folder);

export type StandingSession = Omit<SessionReading, 'events'>;

const readBehind = async (
	id: string,
	folder: SessionFolder,
	known: StateCheckpoint | undefined,
): Promise<SessionReading> => {
	const reading = await readIfThere(folder.journal, diskFiles, known?.position);
	const events = reading?.entries.filter(isEvent) ?? [];
	const fault = await faultOf(id, folder, reading);
	const state = fold(events, known?.state);
	return {
		id,
		folder,
		events,
		state,
		position: reading?.position,
		fault: fault && withWayOut(id, fault),
	};
};

/** Returns whether a session can't be continued although it may not have ended. */
export const isStuck = (session: Pick<SessionReading, 'state' | 'fault'> | undefined): boolean =>
	session?.fault !== undefined && session.state.session?.ended === undefined;

/** Returns whether a session began: a supervisor may die after it made the folder and before it wrote the first event. */
export const hasBegun = ({state, fault}: StandingSession): boolean =>
	state.session !== null || fault !== undefined;

/** Returns whether an entry of a session's folder may exist before the first event, including half-written files. */
export const isEarly = ({journal, environments}: SessionFolder, name: string): boolean =>
	[basename(journal), basename(environments)].includes(name) || /^\..*\.tmp$/.test(name);

type Fault = {
	readonly failure: Failure;
	/** True if a later version of this program could continue. */
	readonly isLater: boolean;
};

const faultOf = async (
	id: string,
	folder: SessionFolder,
	reading: JournalReading | undefined,
): Promise<Fault | undefined> => {
	if (reading === undefined) {
		return faultOfEmpty(folder, 'is missing');
	}

	const {end, position, entries} = reading;
	if (end.kind === 'corrupt' || end.kind === 'unknown-version') {
		const isLater = end.kind === 'unknown-version';
		return {failure: faultFailure(folder.journal, end), isLater};
	}

	if (position.session !== undefined && position.session !== id) {
		return {failure: foreignFailure(folder.journal, position.session, id), isLater: false};
	}

	const unknown = entries.find(entry => !isEvent(entry));
	if (unknown !== undefined) {
		return {failure: unknownKind(unknown), isLater: true};
	}

	return entries.length === 0 && position.next === 1
		? faultOfEmpty(folder, 'holds no event')
		: undefined;
};

/** Returns a fault if a journal is missing or empty although work lies beside it. */
const faultOfEmpty = async (folder: SessionFolder, how: string): Promise<Fault | undefined> => {
	const names = await readdir(folder.path);
	const work = names.find(name => !isEarly(folder, name));
	return work === undefined
		? undefined
		: {
				failure: new Failure(
					'refused',
					`The journal ${folder.journal} ${how}, although there is work beside it (${work}).`,
				),
				isLater: false,
			};
};

const withWayOut = (id: string, {failure, isLater}: Fault): Failure => {
	const {kind, message} = failure;
	const aside = `"delegate-tui doctor --set-aside ${id}" keeps all of it and lets a new session start`;
	return new Failure(kind, message, {
		hint: isLater
			? `use the newer delegate-tui that wrote it; or ${aside}`
			: `"delegate-tui log ${id}" shows its undamaged part; ${aside}`,
		cause: failure,
	});
};

type Entry = {readonly seq: number; readonly kind: string};

/** Throws for an event of unknown kind: a supervisor never appends to events that it doesn't understand. */
export const requireEvent = (entry: Entry): Event => {
	if (!isEvent(entry)) {
		throw unknownKind(entry);
	}

	return entry;
};

/** Returns the error for an event of a kind that this version doesn't know. */
const unknownKind = ({seq, kind}: Entry): Failure =>
	new Failure('refused', `Event ${seq} of the journal is of an unknown kind: ${kind}.`, {
		hint: 'A newer delegate-tui wrote it; use that one.',
	});
