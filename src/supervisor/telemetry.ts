import {createWriteStream, type WriteStream} from 'node:fs';
import {open} from 'node:fs/promises';
import type {z} from 'zod';
import {ifThere} from '../lib/files/reading.ts';
import {plainJson, readJsonObject} from '../lib/text/json.ts';
import type {Health} from '../rules/status.ts';

/** A line of the telemetry: an agent's activity, changes in its worktree, or the session's condition. */
export type TelemetryEntry =
	| {
			readonly agent: string;
			readonly turn: number;
			/** Bytes of the turn's transcript that were there before it. */
			readonly offset: number;
			readonly kind: string;
			readonly [field: string]: unknown;
	  }
	| {
			readonly agent: string;
			readonly turn: number;
			readonly kind: 'changed';
			/** How many files in its scope differ from what it began with, and the first of them. */
			readonly files: number;
			readonly paths: readonly string[];
	  }
	/** Usage of a turn's processes: percent of one core since the last look, and bytes of memory. It is not an act of the agent, so it comes last. */
	| {
			readonly kind: 'load';
			readonly cpu: number;
			readonly memory: number;
			readonly processes: number;
			readonly turn: number;
			readonly agent: string;
	  }
	/** How many of the files of its worktree are there, while that is made. */
	| {
			readonly kind: 'checking-out';
			readonly done: number;
			readonly total: number;
			readonly turn: number;
			readonly agent: string;
	  }
	/** `awakeMs` is what the session's own time was. */
	| ({readonly kind: 'health'; readonly awakeMs: number} & Health);

/** Where details go that are too many for the journal and that nothing is decided by. */
export type Telemetry = {
	readonly write: (entry: TelemetryEntry) => void;
	/** Settles when all is written. */
	readonly close: () => Promise<void>;
};

/**
Opens the telemetry of a session: one JSON object a line, which readers tail.

It may end in a torn line after a crash, and it is opened only when there is something to write. What can't be written is lost, and `onTrouble` is told of it once.
*/
export const openTelemetry = (
	path: string,
	{now, onTrouble}: {now: () => string; onTrouble: (error: unknown) => void},
): Telemetry => {
	let stream: WriteStream | undefined;
	const open = (): WriteStream => {
		stream ??= createWriteStream(path, {flags: 'a', mode: 0o600}).once('error', onTrouble);
		return stream;
	};

	return {
		write: entry => {
			open().write(`${plainJson({at: now(), ...entry})}\n`, () => {});
		},
		close: () => new Promise(resolve => (stream ? stream.end(() => resolve()) : resolve())),
	};
};

/** Reads what was written of one kind; a line that is torn, or of another form, tells nothing. */
export async function* telemetryEntries<Entry>(
	path: string,
	kinds: readonly TelemetryEntry['kind'][],
	schema: z.ZodType<Entry>,
): AsyncGenerator<Entry> {
	const file = await ifThere(open(path));
	// The file closes itself at its end.
	for await (const line of file?.readLines() ?? []) {
		// Most lines are of other kinds, and cost less unread.
		const entry = kinds.some(kind => line.includes(`"kind":"${kind}"`))
			? schema.safeParse(readJsonObject(line)).data
			: undefined;
		if (entry !== undefined) {
			yield entry;
		}
	}
}
