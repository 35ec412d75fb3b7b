import {readdir} from 'node:fs/promises';
import {basename} from 'node:path';
import {isEvent} from '../../events/decode.ts';
import type {Event} from '../../events/event.ts';
import {faultFailure, foreignFailure} from '../../journal/fault-failure.ts';
import {diskFiles} from '../../journal/files.ts';
import {type JournalReading, readIfThere} from '../../journal/read.ts';
import type {Position} from '../../journal/scan.ts';
import {Failure} from '../../lib/failure.ts';
import {fold} from '../../state/apply/apply.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import {readStateCheckpoint, type StateCheckpoint} from './checkpoint.ts';

/** A session as far as its journal tells. */
export type SessionReading = {
	readonly id: string;
	readonly folder: SessionFolder;
	/** All that can be believed, in order. */
	readonly events: readonly Event[];
	/** The state after those events. */
	readonly state: State;
	/** Where they end. */
	readonly position?: Position | undefined;
	/** Why nobody can write on behind them: the journal is damaged, or of a later version. Another try won't change that. */
	readonly fault: Failure | undefined;
};

/**
Reads the journal of a session without changing anything.

Damage is no failure here, since what stands before it is true and people want to see it.

@throws `Failure` when the disk, or who may read it, is in the way: that says nothing about the journal.
*/
export const readSession = (id: string, folder: SessionFolder): Promise<SessionReading> =>
	readBehind(id, folder, undefined);

/** Reads what is true of a session, from its last checkpoint on where there is one: what stands before that is hashed, and neither decoded nor folded. */
export const readStanding = async (
	id: string,
	folder: SessionFolder,
	program?: string,
): Promise<StandingSession> => readBehind(id, folder, await readStateCheckpoint(folder, program));

/** Reads what was written of a session since it was read; of one with a fault all of it, which may have been mended. */
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

/** Whether nobody can go on with a session that may not have ended. */
export const isStuck = (session: Pick<SessionReading, 'state' | 'fault'> | undefined): boolean =>
	session?.fault !== undefined && session.state.session?.ended === undefined;

/** Whether a session ever was: a supervisor may die after it made the folder and before it wrote the first event. */
export const hasBegun = ({state, fault}: StandingSession): boolean =>
	state.session !== null || fault !== undefined;

/** Returns whether an entry of a session's folder exists before the first event, a half-written file included. */
export const isEarly = ({journal, environments}: SessionFolder, name: string): boolean =>
	[basename(journal), basename(environments)].includes(name) || /^\..*\.tmp$/.test(name);

type Fault = {
	readonly failure: Failure;
	/** Whether a later version of this program could go on. */
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

/** A journal that says nothing is as it should be only where nothing was done yet. */
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

/** A supervisor never writes on top of what it does not understand. */
export const requireEvent = (entry: Entry): Event => {
	if (!isEvent(entry)) {
		throw unknownKind(entry);
	}

	return entry;
};

/** Says to a person that an entry of the journal is of a kind which this version doesn't know. */
const unknownKind = ({seq, kind}: Entry): Failure =>
	new Failure('refused', `Event ${seq} of the journal is of an unknown kind: ${kind}.`, {
		hint: 'A newer delegate-tui wrote it; use that one.',
	});
