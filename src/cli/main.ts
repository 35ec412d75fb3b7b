import {run} from './run.ts';

/** Runs the program with its command line arguments. */
const main = (words: readonly string[]): Promise<void> =>
	run(words, async () =>
		words.length === 0
			? (await import('./commands/open.ts')).openSession()
			: (await import('./program.ts')).runParsed(words),
	);

export default main;
