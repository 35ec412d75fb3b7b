import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {type Position, segmentPath} from '../../journal/scan.ts';
import {readRegularFile} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';

/** State after the events up to a position in the journal, so that only later ones must be read and folded. */
export type StateCheckpoint = {readonly position: Position; readonly state: State};

/** Digest of this program's sources: another version may derive another state from the same events. */
const builtFrom = process.env.DELEGATE_TUI_SOURCES;

/** First line of the checkpoint file. */
type Head = {
	readonly program: string;
	readonly position: Position;
	/** Digest of the journal's bytes up to that position. */
	readonly journal: string;
	/** Digest of the state's JSON text. */
	readonly state: string;
};

/**
Reads the checkpoint of a session if it is valid: written by this program, after exactly the bytes with which the journal begins.

It is only a cache; if it is unreadable or doubtful, the caller reads the whole journal.
*/
export const readStateCheckpoint = async (
	{journal, checkpoint}: Pick<SessionFolder, 'journal' | 'checkpoint'>,
	program = builtFrom,
): Promise<StateCheckpoint | undefined> => {
	try {
		const [first = '', text = ''] = readFileSync(checkpoint, 'utf8').split('\n');
		const head: Head = JSON.parse(first);
		const holds =
			head.program === program &&
			head.state === digestOf(text) &&
			head.journal === journalDigest(journal)(head.position);
		return holds ? {position: head.position, state: JSON.parse(text)} : undefined;
	} catch {
		return undefined;
	}
};

/** Maximum number of events to fold after a restart. */
const everyEvents = 1000;

/** Returns a function that writes a checkpoint of an active session at intervals; `position` is the end of the events in `state`. */
export const keepCheckpoint = (
	{journal, checkpoint}: Pick<SessionFolder, 'journal' | 'checkpoint'>,
	program = builtFrom,
): ((state: State, position: Position) => Promise<void>) => {
	const digestUpTo = journalDigest(journal);
	let last = 0;
	let written = Promise.resolve();
	const write = async (state: State, position: Position, program: string): Promise<void> => {
		const text = JSON.stringify(state);
		const head: Head = {
			...{program, position, journal: digestUpTo(position), state: digestOf(text)},
		};
		await writeAtomically(checkpoint, `${JSON.stringify(head)}\n${text}`, {mode: 0o600});
	};

	return (state, position) => {
		if (program !== undefined && state.seq >= last + everyEvents) {
			last = state.seq;
			written = written.then(() => write(state, position, program)).catch(() => {});
		}

		return written;
	};
};

/** Returns a function that returns the digest of a journal up to a position; positions must not decrease. */
const journalDigest = (folder: string): ((to: Position) => string) => {
	const hash = createHash('sha256');
	let at = {segment: 1, offset: 0};
	const add = (segment: number, from: number, most?: number): void => {
		hash.update(readRegularFile(segmentPath(folder, segment), from, most).bytes);
	};

	return to => {
		for (; at.segment < to.segment; at = {segment: at.segment + 1, offset: 0}) {
			add(at.segment, at.offset);
		}

		add(at.segment, at.offset, to.offset - at.offset);
		at = to;
		return hash.copy().digest('hex');
	};
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
