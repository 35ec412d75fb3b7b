import {open, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {wakeOnChange} from '../../journal/wake.ts';
import {createLineSplitter} from '../../lib/text/lines.ts';

/** Where a line was read. */
export type LinePosition = {
	readonly name: string;
	/** Bytes of the file up to the line's end. */
	readonly end: number;
};

export type TailOptions = {
	readonly folder: string;
	/** Picks the files to read among the names in the folder, in this order; the last one grows. */
	readonly pick: (names: readonly string[]) => readonly string[];
	readonly onLine: (line: string, at: LinePosition) => void;
	readonly signal: AbortSignal;
	/** Of a file that is long already only so much is read, in bytes. */
	readonly maximumBytes?: number;
	/** Longest line that is handed on whole, in characters. */
	readonly maximumLength?: number;
};

/**
Hands on the last lines of files, then each new one, until the signal aborts.

The folder and the files need not be there yet. A file that can't be read now is looked at again when its folder changes.
*/
export const followTail = async (options: TailOptions): Promise<void> => {
	const {folder, pick, signal} = options;
	const wake = wakeOnChange(folder, 1000, signal);
	const readers = new Map<string, Reader>();
	try {
		while (!signal.aborted) {
			for (const name of pick(await readdir(folder).catch(() => []))) {
				const reader = readers.get(name) ?? readerOf(name, options);
				readers.set(name, reader);
				await reader.readOn();
			}

			await wake.next();
		}
	} finally {
		wake.close();
	}
};

type Reader = {readonly readOn: () => Promise<void>};

const readerOf = (
	name: string,
	{folder, onLine, maximumBytes = 128 * 1024, maximumLength = 2000}: TailOptions,
): Reader => {
	let end = 0;
	const lines = createLineSplitter({
		maxLength: maximumLength,
		onLine: line => onLine(line, {name, end}),
	});
	let offset: number | undefined;
	const readOn = async (): Promise<void> => {
		await using file = await open(join(folder, name)).catch(() => undefined);
		if (file === undefined) {
			return;
		}

		const {size} = await file.stat();
		offset ??= Math.max(0, size - maximumBytes);
		while (offset < size) {
			const chunk = new Uint8Array(Math.min(maximumBytes, size - offset));
			const {bytesRead} = await file.read(chunk, 0, chunk.length, offset);
			if (bytesRead === 0) {
				break;
			}

			for (const piece of piecesOf(chunk.subarray(0, bytesRead))) {
				offset += piece.length;
				end = offset;
				lines.push(piece);
			}
		}
	};

	return {readOn};
};

const newline = 0x0a;

/** Cuts bytes behind each newline, so that it is known how many there were at the end of a line. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
	for (let from = 0; from < bytes.length; ) {
		const at = bytes.indexOf(newline, from);
		const to = at === -1 ? bytes.length : at + 1;
		yield bytes.subarray(from, to);
		from = to;
	}
}
