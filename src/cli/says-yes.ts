import {createInterface} from 'node:readline/promises';

/** Asks the person at the terminal; anything but a yes is a no. */
export const saysYes = async (question: string): Promise<boolean> => {
	const terminal = createInterface({input: process.stdin, output: process.stdout});
	try {
		return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
	} finally {
		terminal.close();
	}
};
