import {createInterface} from 'node:readline/promises';
import {Failure} from '../lib/failure.ts';

/** Questions to the person at the terminal, each answered with a line. */
export type TerminalQuestions = {
	/** Returns the trimmed answer. */
	readonly ask: (question: string) => Promise<string>;
	/** Returns whether the person has left, and answers no more. */
	readonly isOver: () => boolean;
};

/**
Lends the terminal for questions.

@param left Message if the person leaves, by Ctrl-C or the end of the input.
@throws `Failure` of kind `refused` with that message as soon as they have left.
*/
export const withQuestions = async <Result>(
	left: string,
	use: (questions: TerminalQuestions) => Promise<Result>,
): Promise<Result> => {
	const terminal = createInterface({input: process.stdin, output: process.stdout});
	const over = Promise.withResolvers<never>();
	over.promise.catch(() => {});
	let isOver = false;
	const leave = (): void => {
		isOver = true;
		process.stdout.write('\n');
		over.reject(new Failure('refused', left));
	};

	terminal.on('close', leave);
	try {
		return await use({
			ask: async question => {
				const answer = terminal
					.question(question)
					// It rejects by itself on Ctrl-C, and once the terminal is gone.
					.catch(error => (isOver ? over.promise : Promise.reject(error)));
				return (await Promise.race([answer, over.promise])).trim();
			},
			isOver: () => isOver,
		});
	} finally {
		terminal.off('close', leave);
		terminal.close();
	}
};

export const isAtTerminal = (): boolean =>
	process.stdin.isTTY === true && process.stdout.isTTY === true;

/**
Asks the person at the terminal for a yes.

@param undone Message without one.
@throws `Failure` of kind `refused` with that message, and with the hint if there is no terminal.
*/
export const requireYes = async (
	question: string,
	{undone, hint}: {readonly undone: string; readonly hint: string},
): Promise<void> => {
	if (!isAtTerminal()) {
		throw new Failure('refused', `${undone}: there is nobody to ask.`, {hint});
	}

	if (!(await saysYes(question))) {
		throw new Failure('refused', `${undone}.`);
	}
};

/** Asks the person at the terminal; any answer but a yes is a no. */
export const saysYes = (question: string): Promise<boolean> =>
	withQuestions('Nothing more was done.', async ({ask}) =>
		/^y(?:es)?$/i.test(await ask(`${question} [y/N] `)),
	);
