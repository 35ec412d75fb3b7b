import {setImmediate} from 'node:timers/promises';
import {loadLate} from '../load-late.ts';

export type TerminalOptions = {
	readonly cwd?: string;
	readonly env?: NodeJS.ProcessEnv;
	/** Whether what it prints on standard output is kept as well; that is no terminal for it then. */
	readonly keeps?: boolean;
};

/** How a program ended that had this process's terminal, and what it printed, where that was to be kept. */
export type TerminalEnd = {
	readonly exitCode: number | undefined;
	readonly signal: string | undefined;
	readonly said: string;
};

/** Runs a program with this process's terminal. */
export const runInTerminal = async (
	[program = '', ...words]: readonly string[],
	{cwd, env = process.env, keeps = false}: TerminalOptions = {},
): Promise<TerminalEnd> => {
	const {execa} = await loadLate(() => import('execa'));
	const {exitCode, signal, stdout} = await lendTerminal(() =>
		execa(program, words, {
			...{env, extendEnv: false, reject: false},
			...(cwd === undefined ? {} : {cwd}),
			stdio: ['inherit', keeps ? ['inherit', 'pipe'] : 'inherit', 'inherit'],
		}),
	);
	return {exitCode, signal, said: String(stdout ?? '')};
};

const keyboardSignals = ['SIGINT', 'SIGQUIT'] as const;

/** Ignores keyboard signals while another program has the terminal: they are meant for that program. */
export const lendTerminal = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	for (const signal of keyboardSignals) {
		process.on(signal, ignore);
	}

	try {
		return await work();
	} finally {
		// Such a signal may be read after the end of the program that it ended, and libraries end a process that has no other listener; a whole turn of the event loop lies between two of these.
		await setImmediate();
		await setImmediate();
		for (const signal of keyboardSignals) {
			process.off(signal, ignore);
		}
	}
};

const ignore = (): void => {};
