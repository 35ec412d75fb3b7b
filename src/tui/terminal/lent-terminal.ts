import {setImmediate as turn} from 'node:timers/promises';
import {Failure} from '../../lib/failure.ts';

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
