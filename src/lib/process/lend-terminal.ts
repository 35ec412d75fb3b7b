import {setImmediate} from 'node:timers/promises';
import {loadLate} from '../load-late.ts';

export type TerminalOptions = {
	readonly cwd?: string;
	readonly env?: NodeJS.ProcessEnv;
	/** True to capture standard output, which is no terminal for the program then. */
	readonly keeps?: boolean;
};

/** End of a program that used this process's terminal, and its captured output. */
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

/** Ignores keyboard signals while another program uses the terminal: they are meant for that program. */
export const lendTerminal = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	for (const signal of keyboardSignals) {
		process.on(signal, ignore);
	}

	try {
		return await work();
	} finally {
		// A signal may arrive after the program that it ended, and libraries exit if a signal has no other listener. There is a whole turn of the event loop between these two.
		await setImmediate();
		await setImmediate();
		for (const signal of keyboardSignals) {
			process.off(signal, ignore);
		}
	}
};

const ignore = (): void => {};
