import type {JournalFile, JournalFiles} from '../../src/journal/files.ts';

/** How an operation goes wrong: with an error, or by taking only a part of what is written. */
export type Fault = 'ENOSPC' | 'EIO' | 'short write' | 'error after a short write' | 'sync EIO';

export type FailingFiles = {
	readonly files: JournalFiles;
	/** How many operations were asked for that the fault can hit. */
	readonly operations: () => number;
};

/**
Real files, of which the operation with number `at` fails, or it and every later one.

Only operations that the fault can hit are counted, so that every number up to `operations()` of an undisturbed run is a case of its own.
*/
export const failingFiles = (
	disk: JournalFiles,
	fault: Fault,
	at: number,
	lasts: 'once' | 'from then on',
): FailingFiles => {
	let operations = 0;
	const strikes = (): boolean => {
		operations++;
		return lasts === 'once' ? operations === at : operations >= at;
	};

	const failure = () =>
		Object.assign(new Error(`injected ${fault}`), {code: fault === 'ENOSPC' ? 'ENOSPC' : 'EIO'});
	const isTotal = fault === 'ENOSPC' || fault === 'EIO';
	const guard = async <Value>(act: () => Promise<Value>): Promise<Value> => {
		if (isTotal && strikes()) {
			throw failure();
		}

		return act();
	};

	const sync = async (act: () => Promise<void>): Promise<void> => {
		if (fault === 'sync EIO' && strikes()) {
			throw failure();
		}

		return guard(act);
	};

	const write = async (file: JournalFile, bytes: Uint8Array, position: number) => {
		const isShort = fault === 'short write' || fault === 'error after a short write';
		if (!isShort || !strikes()) {
			return guard(() => file.write(bytes, position));
		}

		const part = Math.max(1, Math.floor(bytes.length / 2));
		const taken = await file.write(bytes.subarray(0, part), position);
		if (fault === 'error after a short write') {
			throw failure();
		}

		return taken;
	};

	const wrap = (file: JournalFile): JournalFile => ({
		path: file.path,
		write: (bytes, position) => write(file, bytes, position),
		sync: () => sync(file.sync),
		truncate: length => guard(() => file.truncate(length)),
		size: () => file.size(),
		// A file that can't be closed is closed all the same; the test must not leak it.
		close: async () => {
			await file.close();
			await guard(async () => {});
		},
	});

	return {
		operations: () => operations,
		files: {
			makeFolder: folder => guard(() => disk.makeFolder(folder)),
			list: folder => guard(() => disk.list(folder)),
			read: (path, offset) => guard(() => disk.read(path, offset)),
			create: path => guard(async () => wrap(await disk.create(path))),
			open: path => guard(async () => wrap(await disk.open(path))),
			syncFolder: folder => sync(() => disk.syncFolder(folder)),
		},
	};
};
