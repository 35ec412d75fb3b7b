import {setImmediate as turn, setTimeout as wait} from 'node:timers/promises';
import {onExit} from 'signal-exit';
import {Failure} from '../../lib/failure.ts';

/** Terminal in which a screen is shown. */
export type Terminal = {
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Returns whether a screen reader reads the screen, and needs lines in the order in which they are written. */
export const isLinear = ({INK_SCREEN_READER}: Terminal['environment']): boolean =>
	INK_SCREEN_READER === 'true';

/** Clears the screen, and moves the cursor to its beginning. */
export const clear = '\x1b[2J\x1b[H';
const enter = `\x1b[?1049h\x1b[?25l${clear}`;
const leave = '\x1b[?1049l\x1b[?25h';
const holdBack = '\x1b[?2026h';
const show = '\x1b[?2026l';

export type FirstFrame = {
	/** Has Ink draw, which enters the alternate screen again, and so clears it; with synchronized output the terminal waits until its first frame is complete. */
	readonly handOver: <Result>(draw: () => Result) => Result;
	/** Restores the screen. */
	readonly putBack: () => void;
};

/** Enters the alternate screen and shows a frame before Ink is loaded. Keys that are pressed meanwhile wait in the terminal for Ink. */
export const showFirstFrame = (
	{input, output, environment}: Terminal,
	rows: readonly string[],
): FirstFrame => {
	// Keys that are pressed before the first frame must not be echoed onto it.
	input.setRawMode(true);
	let isOurs = !isLinear(environment);
	// It is never removed: execa uses this library, too, and the end of a child would unload its hooks, including those that Ink's version of it has set.
	onExit(() => {
		if (isOurs) {
			output.write(leave);
		}
	});
	if (!isOurs) {
		// Echoed keys may have moved the cursor to the right, and Ink starts at the cursor.
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

/** Size of a screen, in character cells. */
export type Size = {readonly columns: number; readonly rows: number};

/** Smallest screen on which everything can be decided. */
export const smallest: Size = {columns: 40, rows: 10};

/** Returns the size for the layout: for a screen reader it is narrow, so that nothing is side by side. */
export const laidOutSize = ({columns, rows}: Size, environment: Terminal['environment']): Size => ({
	columns: isLinear(environment) ? Math.min(columns, mostLinear) : columns,
	rows,
});

/** Maximum columns without panes, diffs or sides of a conflict side by side. */
const mostLinear = 99;

export const isTooSmall = ({columns, rows}: Size): boolean =>
	columns < smallest.columns || rows < smallest.rows;

/** Returns whether a screen is so low that separators get no rows. */
export const isShort = ({rows}: Size): boolean => rows < 16;

/** Returns whether a screen is so narrow that a choice shows only its label. */
export const isNarrow = (columns: number): boolean => columns < 60;

/** Removes the screen, lets a function use the terminal, and restores the screen with a full redraw. */
export type Suspend = (use: () => Promise<void>) => Promise<void>;

/** Functions that turn a terminal's mouse reports and images on and off. */
export type Mouse = {readonly listen: () => void; readonly rest: () => void};

/** Terminal of a screen, which can be lent to another program. */
export type LentTerminal = {
	/** Sets the function that suspends the screen, once that exists. */
	readonly learn: (suspend: Suspend) => void;
	/** Lends the terminal until `use` settles, with the same result. */
	readonly lend: Suspend;
};

export const createLentTerminal = (
	{input, output}: Pick<Terminal, 'input' | 'output'>,
	mouse: Mouse,
): LentTerminal => {
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
						// The program may have left the cursor in the middle of a row, and Ink starts at the cursor.
						output.write('\r');
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
Stops the whole job of this program, as Ctrl-Z does in a terminal, and resolves once it is continued.

The system does not stop a job that no shell could continue; it then resolves at once.
*/
export const stopped = async (): Promise<void> => {
	process.kill(0, 'SIGTSTP');
	// The clock of a stopped process stands still, so this ends after the stop, or at once if there was none.
	await wait(stopMs);
	// The window may have a new size, and a stopped program got no SIGWINCH.
	process.kill(process.pid, 'SIGWINCH');
};

/** Time for a signal's delivery, in milliseconds. */
const stopMs = 50;

/**
Stops reading keys, which would be lost to the other program.

Node continues to read without listeners until a pause; it accepts one a turn after the last listener is removed, and takes another turn to act on it.
*/
const letGo = async (input: NodeJS.ReadStream): Promise<void> => {
	await turn();
	input.pause();
	await turn();
};

/**
Discards unread keys: they were meant for the other program, or for a screen that was not visible.

Some may be in Node's buffer; the rest is in the terminal, which returns an unfinished line only in raw mode. Each two turns poll the terminal once.
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
