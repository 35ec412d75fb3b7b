import {createWriteStream, type WriteStream} from 'node:fs';
import {open} from 'node:fs/promises';
import type {z} from 'zod';
import {ifThere} from '../lib/files/reading.ts';
import {plainJson, readJsonObject} from '../lib/text/json.ts';
import type {Besides, Health} from '../rules/status.ts';

/** A line of the telemetry: an agent's activity, changes in its worktree, or the session's condition. */
export type TelemetryEntry =
	| {
			readonly agent: string;
			readonly turn: number;
			/** Length of the turn's transcript before this entry, in bytes. */
			readonly offset: number;
			readonly kind: string;
			readonly [field: string]: unknown;
	  }
	| {
			readonly agent: string;
			readonly turn: number;
			readonly kind: 'changed';
			/** Number of files in the agent's scope that it changed, and the first of their paths. */
			readonly files: number;
			readonly paths: readonly string[];
	  }
	/** Resource usage of a turn's processes: percent of one core since the last look, and bytes of memory. `agent` comes last, since readers take lines that begin with it for acts of the agent. */
	| ({readonly kind: 'load'; readonly agent: string} & Omit<NonNullable<Besides['load']>, 'at'>)
	/** Step in the making of the agent's worktree, in words. */
	| {
			readonly kind: 'preparing';
			readonly text: string;
			readonly turn: number;
			readonly agent: string;
	  }
	/** `awakeMs` is the session time. */
	| ({readonly kind: 'health'; readonly awakeMs: number} & Health);

/** Details that are too many for the journal and that no decision depends on. */
export type Telemetry = {
	readonly write: (entry: TelemetryEntry) => void;
	/** Resolves when all entries are written. */
	readonly close: () => Promise<void>;
};

/**
Opens the telemetry of a session: one JSON object per line, which readers follow.

After a crash its last line may be torn. The file is opened at the first write. A failed write is lost, and `onTrouble` is called once.
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

/** Reads the entries of some kinds; skips lines that are torn or have another form. */
export async function* telemetryEntries<Entry>(
	path: string,
	kinds: readonly TelemetryEntry['kind'][],
	schema: z.ZodType<Entry>,
): AsyncGenerator<Entry> {
	const file = await ifThere(open(path));
	// The file closes itself at its end.
	for await (const line of file?.readLines() ?? []) {
		// Most lines are of other kinds; don't parse them.
		const entry = kinds.some(kind => line.includes(`"kind":"${kind}"`))
			? schema.safeParse(readJsonObject(line)).data
			: undefined;
		if (entry !== undefined) {
			yield entry;
		}
	}
}
