/** A terminal sends these to all that run in it. */
const keyboardSignals = ['SIGINT', 'SIGQUIT'] as const;

/** Does work that lends the terminal to another program: keys that end a program are meant for that one alone. */
export const lendTerminal = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	for (const signal of keyboardSignals) {
		process.on(signal, ignore);
	}

	try {
		return await work();
	} finally {
		for (const signal of keyboardSignals) {
			process.off(signal, ignore);
		}
	}
};

const ignore = (): void => {};
