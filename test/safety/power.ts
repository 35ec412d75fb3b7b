import {dirname} from 'node:path';
import type {JournalFile, JournalFiles} from '../../src/journal/files.ts';

/** Draws a whole number from 0 up to but not including `below`. */
export type Draw = (below: number) => number;

type Change =
	| {readonly what: 'write'; readonly bytes: Buffer; readonly position: number}
	| {readonly what: 'truncate'; readonly length: number};

type Stored = {durable: Buffer; pending: Change[]};

export type FickleDisk = {
	readonly files: JournalFiles;
	/** How many operations were asked of it. */
	readonly operations: () => number;
	/** Brings the disk back after a power cut, with whatever the draw lets survive. */
	readonly restart: (draw: Draw) => void;
};

/**
A disk that forgets: of what was not synced when the power went, any part may be there in any order, a write also in half, a name or not.

The power goes before operation number `cutAt`; from then on every operation fails.
*/
export const fickleDisk = (cutAt: number): FickleDisk => {
	let operations = 0;
	let on = true;
	let names = new Map<string, Stored>();
	let durableNames = new Map<string, Stored>();
	const powered = async <Value>(act: () => Value): Promise<Value> => {
		operations++;
		on &&= operations < cutAt;
		if (!on) {
			throw Object.assign(new Error('the power is gone'), {code: 'EIO'});
		}

		return act();
	};

	const stored = (path: string): Stored => {
		const file = names.get(path);
		if (file === undefined) {
			throw Object.assign(new Error(`no such file: ${path}`), {code: 'ENOENT'});
		}

		return file;
	};

	const opened = (path: string, file: Stored): JournalFile => ({
		path,
		write: (bytes, position) =>
			powered(() => {
				file.pending.push({what: 'write', bytes: Buffer.from(bytes), position});
				return bytes.length;
			}),
		sync: () =>
			powered(() => {
				file.durable = file.pending.reduce(applied, file.durable);
				file.pending = [];
			}),
		truncate: length =>
			powered(() => {
				file.pending.push({what: 'truncate', length});
			}),
		size: async () => file.pending.reduce(applied, file.durable).length,
		close: async () => {},
	});

	return {
		operations: () => operations,
		files: {
			makeFolder: () => powered(() => {}),
			list: folder =>
				powered(() =>
					[...names.keys()]
						.filter(path => dirname(path) === folder)
						.map(path => path.slice(folder.length + 1)),
				),
			read: path =>
				powered(() => {
					const file = stored(path);
					return file.pending.reduce(applied, file.durable);
				}),
			create: path =>
				powered(() => {
					if (names.has(path)) {
						throw Object.assign(new Error(`file exists: ${path}`), {code: 'EEXIST'});
					}

					const file: Stored = {durable: Buffer.alloc(0), pending: []};
					names.set(path, file);
					return opened(path, file);
				}),
			open: path => powered(() => opened(path, stored(path))),
			syncFolder: folder =>
				powered(() => {
					for (const [path, file] of names) {
						if (dirname(path) === folder) {
							durableNames.set(path, file);
						}
					}
				}),
		},
		restart: draw => {
			on = true;
			operations = Number.NEGATIVE_INFINITY;
			const kept = [...names].filter(([path]) => durableNames.has(path) || draw(2) === 0);
			names = new Map(kept);
			durableNames = new Map(kept);
			for (const file of names.values()) {
				file.durable = survivors(file.pending, draw).reduce(applied, file.durable);
				file.pending = [];
			}
		},
	};
};

const applied = (bytes: Buffer, change: Change): Buffer => {
	if (change.what === 'truncate') {
		const cut = Buffer.alloc(change.length);
		bytes.copy(cut);
		return cut;
	}

	const grown = Buffer.alloc(Math.max(bytes.length, change.position + change.bytes.length));
	bytes.copy(grown);
	grown.set(change.bytes, change.position);
	return grown;
};

/** A disk may write in any order, drop what it likes, and stop in the middle of a write. */
const survivors = (pending: readonly Change[], draw: Draw): readonly Change[] =>
	shuffled(
		pending.filter(() => draw(3) > 0),
		draw,
	).map(change =>
		change.what === 'write' && draw(2) === 0
			? {...change, bytes: change.bytes.subarray(0, draw(change.bytes.length + 1))}
			: change,
	);

const shuffled = <Value>(values: readonly Value[], draw: Draw): readonly Value[] => {
	const rest = [...values];
	return values.flatMap(() => rest.splice(draw(rest.length), 1));
};
