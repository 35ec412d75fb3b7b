import {once} from 'node:events';
import type {Writable} from 'node:stream';
import {defined} from '../lib/defined.ts';
import type {Failure} from '../lib/failure.ts';
import {plainJson} from '../lib/text/plain-json.ts';
import {quotedBelow} from '../lib/text/quoted-block.ts';
import {sanitize} from '../lib/text/sanitize.ts';

/** Prints lines for a person; whatever an agent, a file or a branch put into them can't steer the terminal. */
export const print = (text: string): void => {
	process.stdout.write(`${sanitize(text, {lines: true})}\n`);
};

/** Columns that there are to print in; none where no terminal would break a line. */
export const columnsHere = (): number | undefined =>
	process.stdout.isTTY ? process.stdout.columns : undefined;

/** Prints a line that holds what others wrote; what doesn't fit into it goes on behind bars, so that it can't pass for a line of ours. */
export const printBarred = (line: string): void => {
	print(quotedBelow(line, {indent: '          ', columns: columnsHere()}));
};

/** Prints one line of JSON for a program. */
export const printJson = (value: unknown): void => {
	process.stdout.write(`${plainJson(value)}\n`);
};

/** Prints what came of a command: for a program all of it, for a person in words. */
export const printAs = (
	{json}: {readonly json?: boolean | undefined},
	value: unknown,
	words: string,
): void => {
	if (json) {
		printJson(value);
	} else {
		print(words);
	}
};

/** Waits until whoever reads has taken what was printed: a slow reader holds up the printing, and fills nobody's memory. */
export const drained = async (output: Writable = process.stdout): Promise<void> => {
	if (output.writableNeedDrain) {
		await once(output, 'drain');
	}
};

/** Tells what went wrong, where whoever asked is looking for it. */
export const reportFailure = ({kind, message, hint}: Failure, json: boolean): void => {
	if (json) {
		printJson({error: {kind, message, ...defined({hint})}});
		return;
	}

	process.stderr.write(`${sanitize(message, {lines: true})}\n`);
	if (hint !== undefined) {
		process.stderr.write(`Hint: ${sanitize(hint, {lines: true})}\n`);
	}
};
