/** Runs the program with the words that follow its name. */
export const main = async (words: readonly string[]): Promise<void> => {
	process.stdout.write(`${words.join(' ')}\n`);
};
