import {setImmediate as turn, setTimeout as wait} from 'node:timers/promises';
import {onExit} from 'signal-exit';
import {Failure} from '../../lib/failure.ts';

/** The terminal that a screen is shown in. */
export type Terminal = {
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Whether the screen is read aloud, and so is lines in the order in which they are written. */
export const isLinear = ({INK_SCREEN_READER}: Terminal['environment']): boolean =>
	INK_SCREEN_READER === 'true';

const enter = '\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H';
const leave = '\x1b[?1049l\x1b[?25h';
const holdBack = '\x1b[?2026h';
const show = '\x1b[?2026l';

/** The first frame, as long as Ink isn't there. */
export type FirstFrame = {
	/** Has Ink draw, which enters the screen again, and so clears it; a terminal that can holds back until its first frame is whole. */
	readonly handOver: <Result>(draw: () => Result) => Result;
	/** Puts the screen back. */
	readonly putBack: () => void;
};

/** Takes the whole screen and shows a frame on it before anything of Ink is loaded. Keys that are pressed meanwhile wait in the terminal for Ink. */
export const showFirstFrame = (
	{input, output, environment}: Terminal,
	rows: readonly string[],
): FirstFrame => {
	// Keys that are pressed before the first frame must not be echoed onto it.
	input.setRawMode(true);
	let isOurs = !isLinear(environment);
	// It stays: execa uses this library, too, and the end of a child would take back its hooks, and with them those that Ink's version of it has set.
	onExit(() => {
		if (isOurs) {
			output.write(leave);
		}
	});
	if (!isOurs) {
		// What was echoed before that leaves the cursor further right, and Ink begins where it is.
		output.write('\r');
		return {handOver: draw => draw(), putBack: () => {}};
	}

	output.write(`${enter}${rows.join('\r\n')}\x1b[H`);
	return {
		handOver: draw => {
			output.write(holdBack);
			try {
				const drawn = draw();
				isOurs = false;
				return drawn;
			} finally {
				output.write(show);
			}
		},
		putBack: () => {
			if (isOurs) {
				isOurs = false;
				output.write(leave);
			}
		},
	};
};

/** A screen's size, in character cells. */
export type Size = {readonly columns: number; readonly rows: number};

/** The smallest screen that everything can be decided on. */
export const smallest: Size = {columns: 40, rows: 10};

/** Returns the size that a screen is laid out in: one that is read aloud is so narrow that nothing stands beside anything else. */
export const laidOutSize = ({columns, rows}: Size, environment: Terminal['environment']): Size => ({
	columns: isLinear(environment) ? Math.min(columns, mostLinear) : columns,
	rows,
});

/** With more columns, panes, diffs or sides of a conflict stand side by side. */
const mostLinear = 99;

export const isTooSmall = ({columns, rows}: Size): boolean =>
	columns < smallest.columns || rows < smallest.rows;

/** Whether there are so few rows that what only parts others has none of them. */
export const isShort = ({rows}: Size): boolean => rows < 16;

/** Whether there are so few columns that a choice is told by its words alone. */
export const isNarrow = (columns: number): boolean => columns < 60;

/** Takes the screen away, lets something use the terminal, and puts the screen back, drawn whole. */
export type Suspend = (use: () => Promise<void>) => Promise<void>;

/** How a terminal is asked to tell of its mouse, and to tell no more. */
export type Mouse = {readonly listen: () => void; readonly rest: () => void};

/** The terminal of a screen, which another program may have for a while. */
export type LentTerminal = {
	/** Learns how the screen is taken away, from the screen once it stands. */
	readonly learn: (suspend: Suspend) => void;
	/** Lends the terminal until `use` settles, and settles as that does. */
	readonly lend: Suspend;
};

export const createLentTerminal = (input: NodeJS.ReadStream, mouse: Mouse): LentTerminal => {
	let suspend: Suspend | undefined;
	let isLent = false;
	return {
		learn: way => {
			suspend = way;
		},
		lend: async use => {
			if (suspend === undefined || isLent) {
				throw new Failure('refused', 'Another program has the terminal already.');
			}

			isLent = true;
			try {
				mouse.rest();
				await suspend(async () => {
					await letGo(input);
					try {
						await use();
					} finally {
						await discardUnread(input);
					}
				});
			} finally {
				isLent = false;
				mouse.listen();
			}
		},
	};
};

/**
Stops all of this program's job, as Ctrl-Z does where a terminal sees it itself, and settles once it goes on.

A job that no shell could let go on is not stopped by the system, and then settles at once.
*/
export const stopped = async (): Promise<void> => {
	process.kill(0, 'SIGTSTP');
	// While it is stopped its clock stands still, so this ends only afterwards, or where it was not stopped.
	await wait(stopMs);
	// The window may have another size by now, of which nobody told a program that stood still.
	process.kill(process.pid, 'SIGWINCH');
};

/** As long as a signal may take, in milliseconds. */
const stopMs = 50;

/**
Stops reading keys, which would be lost to the other program.

That nobody listens any more does not keep Node from reading on: only a pause does, and it takes one only a turn after the last listener is gone, and another turn to act on it.
*/
const letGo = async (input: NodeJS.ReadStream): Promise<void> => {
	await turn();
	input.pause();
	await turn();
};

/**
Discards what was typed by now and read by nobody: it was meant for the other program, or for a screen that nobody saw.

A part of it may be in Node's buffer, the rest is in the terminal, which hands out a line that was not ended only in raw mode. Two turns have one look at the terminal between them.
*/
const discardUnread = async (input: NodeJS.ReadStream): Promise<void> => {
	input.setRawMode(true);
	input.resume();
	let before: number;
	do {
		before = input.bytesRead;
		await turn();
		await turn();
	} while (input.bytesRead > before);
	await letGo(input);
};
