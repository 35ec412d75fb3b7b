import {format} from 'node:util';

/** Libraries complain on the console about what an agent sent; that goes where `log` puts it. */
export const redirectConsole = (log: (message: string) => void): void => {
	for (const level of ['debug', 'error', 'info', 'log', 'warn'] as const) {
		console[level] = (...words: readonly unknown[]) => log(format(...words));
	}
};
