import {open, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {wakeOnChange} from '../../journal/wake.ts';
import {createLineSplitter} from '../../lib/lines.ts';

export type TailOptions = {
	readonly folder: string;
	/** Picks the file to follow among the names in the folder; another pick starts another file. */
	readonly pick: (names: readonly string[]) => string | undefined;
	readonly onLine: (line: string) => void;
	readonly signal: AbortSignal;
};

/** Of a file that is long already only so much is read, in bytes. */
const maximumBytes = 128 * 1024;

const maximumLength = 2000;

/**
Hands on the last lines of a file, then each new one, until the signal aborts.

The folder and the file need not be there yet. A file that can't be read now is looked at again when its folder changes.
*/
export const followTail = async ({folder, pick, onLine, signal}: TailOptions): Promise<void> => {
	const wake = wakeOnChange(folder, 1000, signal);
	let reader: Reader | undefined;
	try {
		while (!signal.aborted) {
			const name = pick(await readdir(folder).catch(() => []));
			if (name !== undefined) {
				const path = join(folder, name);
				reader = reader?.path === path ? reader : readerOf(path, onLine);
				await reader.readOn();
			}

			await wake.next();
		}
	} finally {
		wake.close();
	}
};

type Reader = {readonly path: string; readonly readOn: () => Promise<void>};

const readerOf = (path: string, onLine: (line: string) => void): Reader => {
	const lines = createLineSplitter({maxLength: maximumLength, onLine});
	let offset: number | undefined;
	const readOn = async (): Promise<void> => {
		const file = await open(path).catch(() => undefined);
		if (file === undefined) {
			return;
		}

		try {
			const {size} = await file.stat();
			offset ??= Math.max(0, size - maximumBytes);
			while (offset < size) {
				const chunk = new Uint8Array(Math.min(maximumBytes, size - offset));
				const {bytesRead} = await file.read(chunk, 0, chunk.length, offset);
				if (bytesRead === 0) {
					break;
				}

				lines.push(chunk.subarray(0, bytesRead));
				offset += bytesRead;
			}
		} finally {
			await file.close();
		}
	};

	return {path, readOn};
};
