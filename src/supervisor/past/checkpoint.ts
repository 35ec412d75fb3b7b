import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {type Position, segmentPath} from '../../journal/scan.ts';
import {readRegularFile} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';

/** The state that a journal tells up to a position, so that only what stands behind that must be read and folded. */
export type StateCheckpoint = {readonly position: Position; readonly state: State};

/** Digest of the sources that this program was built from: another program may tell another state by the same events. */
const builtFrom = process.env.DELEGATE_TUI_SOURCES;

/** Header of the stored state. */
type Head = {
	readonly program: string;
	readonly position: Position;
	/** Digest of all bytes of the journal up to there. */
	readonly journal: string;
	/** Digest of the state's own text. */
	readonly state: string;
};

/**
Reads the checkpoint of a session, if there is one that holds: of this program, and of the very bytes that the journal begins with.

It is only a cache; what can't be read, or is in doubt, is told by the journal.
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

/** How many events are folded anew at most. */
const everyEvents = 1000;

/** Returns how to keep a checkpoint of a session that is under way, now and then; `position` is where the journal ends that tells the state. */
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

/** Returns how to take the digest of a journal up to a position, again and again, each at or behind the one before. */
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
