import {dirname} from 'node:path';
import type {JournalFile, JournalFiles} from '../../src/journal/files.ts';

/** What a power cut leaves of a write that was not synced. */
export type Loss = 'nothing' | 'everything' | 'half' | 'zeros';
/** What a power cut leaves of a name whose folder was not synced. */
export type NameLoss = 'name kept' | 'name lost';

type Stored = {
	/** What a program sees. */
	now: Buffer;
	/** What would still be there after a power cut. */
	durable: Buffer;
};

export type MemoryDisk = {
	readonly files: JournalFiles;
	readonly crash: (loss: Loss, names: NameLoss) => void;
};

/** A disk that knows what was synced, so that the power can be cut between any two operations. */
export const memoryDisk = (): MemoryDisk => {
	let names = new Map<string, Stored>();
	let durableNames = new Map<string, Stored>();
	const stored = (path: string): Stored => {
		const file = names.get(path);
		if (file === undefined) {
			throw Object.assign(new Error(`no such file: ${path}`), {code: 'ENOENT'});
		}

		return file;
	};

	const files: JournalFiles = {
		makeFolder: async () => {},
		list: async folder =>
			[...names.keys()]
				.filter(path => dirname(path) === folder)
				.map(path => path.slice(folder.length + 1)),
		read: async (path, offset) => Buffer.from(stored(path).now).subarray(offset),
		create: async path => {
			if (names.has(path)) {
				throw Object.assign(new Error(`file exists: ${path}`), {code: 'EEXIST'});
			}

			names.set(path, {now: Buffer.alloc(0), durable: Buffer.alloc(0)});
			return openStored(path, stored(path), () => names.get(path));
		},
		open: async path => openStored(path, stored(path), () => names.get(path)),
		syncFolder: async folder => {
			durableNames = new Map([
				...[...durableNames].filter(([path]) => dirname(path) !== folder),
				...[...names].filter(([path]) => dirname(path) === folder),
			]);
		},
	};

	return {
		files,
		crash: (loss, nameLoss) => {
			names = new Map(nameLoss === 'name lost' ? durableNames : names);
			durableNames = new Map(names);
			for (const file of names.values()) {
				file.durable = afterPowerCut(file, loss);
				file.now = file.durable;
			}
		},
	};
};

const openStored = (path: string, file: Stored, found: () => Stored | undefined): JournalFile => ({
	path,
	write: async (bytes, position) => {
		const size = Math.max(file.now.length, position + bytes.length);
		const grown = Buffer.alloc(size);
		file.now.copy(grown);
		grown.set(bytes, position);
		file.now = grown;
		return bytes.length;
	},
	sync: async () => {
		file.durable = file.now;
	},
	truncate: async length => {
		file.now = file.now.subarray(0, length);
	},
	size: async () => (found() === file ? file.now.length : undefined),
	close: async () => {},
});

const afterPowerCut = ({now, durable}: Stored, loss: Loss): Buffer => {
	if (loss === 'nothing') {
		return now;
	}

	const half = Math.floor((durable.length + now.length) / 2);
	if (loss === 'everything' || half <= durable.length) {
		return durable;
	}

	const start = now.subarray(0, half);
	return loss === 'half' ? start : Buffer.concat([start, Buffer.alloc(now.length - half)]);
};
