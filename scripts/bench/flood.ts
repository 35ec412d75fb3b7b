import {openTerminal} from '../../test/helpers/terminal.ts';
import {type Playground, program} from '../pictures/playground.ts';
import {pass, sessionOf} from './idle.ts';

const line = 'compiled src/orders/list.ts in 12 ms, and went on to the next of its files\n';

/** Three agents that print 10,000 lines a second each. */
export const flooding = sessionOf([
	...['node', '-e'],
	`setInterval(() => process.stdout.write(${JSON.stringify(line)}.repeat(100)), 10)`,
]);

const presses = 50;

/** Presses keys on a screen that agents flood, and returns how long the slowest but one in a hundred waits for its frame, in milliseconds. */
export const measureFlood = async ({project, environment}: Playground): Promise<number> => {
	using terminal = openTerminal({
		...{program: process.execPath, words: [program], columns: 120, rows: 40},
		...{directory: project, environment},
	});
	await terminal.until('AGT-003');
	await pass(5);
	const times: number[] = [];
	for (let press = 0; press < presses; press++) {
		for (const [key, isHelp] of [
			['?', true],
			// Not Escape: that is held back for 20 ms, in which it may turn out to begin the name of another key.
			['b', false],
		] as const) {
			const since = performance.now();
			await terminal.typeUntil(
				key,
				rows => rows.some(row => row.includes('Good to know')) === isHelp,
			);
			times.push(performance.now() - since);
			await pass(0.05);
		}
	}

	terminal.type('q');
	await terminal.exited;
	return times.sort((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
};
