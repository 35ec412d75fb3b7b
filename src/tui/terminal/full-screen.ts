import {setImmediate as turn} from 'node:timers/promises';
import {type Instance, render} from 'ink';
import type {ReactNode} from 'react';
import {Failure} from '../../lib/failure.ts';

/** The terminal that a screen is shown in. */
export type Terminal = {
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Takes the whole screen, which is put back however the program ends. */
export const openFullScreen = (
	tree: ReactNode,
	{input, output, environment}: Terminal,
): Instance => {
	// Keys that are pressed before the first frame must not be echoed onto it.
	input.setRawMode(true);
	// Those pressed before that were: Ink begins where the cursor is, and a first row that begins further right wraps.
	output.write('\r');
	return render(tree, {
		stdin: input,
		stdout: output,
		alternateScreen: environment.INK_SCREEN_READER !== 'true',
		incrementalRendering: true,
		// Whoever draws bounds how often something is new; a second bound would only delay keys.
		maxFps: 120,
		patchConsole: false,
		exitOnCtrlC: false,
		kittyKeyboard: {mode: 'auto'},
	});
};

/** A screen's size, in character cells. */
export type Size = {readonly columns: number; readonly rows: number};

/** The smallest screen that everything can be decided on. */
export const smallest: Size = {columns: 60, rows: 16};

export const isTooSmall = ({columns, rows}: Size): boolean =>
	columns < smallest.columns || rows < smallest.rows;

/** Takes the screen away, lets something use the terminal, and puts the screen back, drawn whole. */
export type Suspend = (use: () => Promise<void>) => Promise<void>;

/** The terminal of a screen, which another program may have for a while. */
export type LentTerminal = {
	/** Learns how the screen is taken away, from the screen once it stands. */
	readonly learn: (suspend: Suspend) => void;
	/** Lends the terminal until `use` settles, and settles as that does. */
	readonly lend: Suspend;
};

export const createLentTerminal = (input: NodeJS.ReadStream): LentTerminal => {
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
				await suspend(async () => {
					await letGo(input);
					await use();
				});
			} finally {
				isLent = false;
			}
		},
	};
};

/**
Stops reading keys, which would be lost to the other program.

That nobody listens any more does not keep Node from reading on: only a pause does, and it takes one only a turn after the last listener is gone, and another turn to act on it.
*/
const letGo = async (input: NodeJS.ReadStream): Promise<void> => {
	await turn();
	input.pause();
	await turn();
};
