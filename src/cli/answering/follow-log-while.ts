import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {followTail} from '../../client/tails.ts';
import {sanitize, withoutColors} from '../../lib/text/sanitize.ts';

/** A log that grows during a wait, and the receiver of its lines. */
export type FollowedLog = {
	readonly folder: string;
	readonly name: string;
	readonly onLine: (line: string) => void;
};

/** Waits for work and passes the lines of a log on meanwhile. */
export const followLogWhile = async <T>(
	{folder, name, onLine}: FollowedLog,
	work: Promise<T>,
): Promise<T> => {
	const over = new AbortController();
	let printedTo = 0;
	const printLine = (line: string): void => onLine(sanitize(withoutColors(line)));
	const tail = followTail({
		folder,
		pick: names => names.filter(file => file === name),
		onLine: (line, {end}) => {
			printedTo = end;
			printLine(line);
		},
		signal: over.signal,
		// Unread lines are read again at the end; a failure here must not hide the outcome of the work.
	}).catch(() => {});
	try {
		return await work;
	} finally {
		over.abort();
		await tail;
		// A short run may be over before the log was read.
		(await linesFrom(join(folder, name), printedTo)).forEach(printLine);
	}
};

const linesFrom = async (log: string, byte: number): Promise<readonly string[]> => {
	const bytes = await readFile(log).catch(() => Buffer.alloc(0));
	const lines = bytes.toString('utf8', byte).split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};
