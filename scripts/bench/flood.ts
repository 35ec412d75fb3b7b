import {openTerminal} from '../../test/helpers/terminal.ts';
import {type Playground, program} from '../pictures/playground.ts';
import {pass, sessionOf, usedBy} from './idle.ts';

const line = 'compiled src/orders/list.ts in 12 ms, and went on to the next of its files\n';

/** Three agents that print 10,000 lines a second each. */
export const flooding = sessionOf([
	...['node', '-e'],
	`setInterval(() => process.stdout.write(${JSON.stringify(line)}.repeat(100)), 10)`,
]);

const presses = 50;

/** What a flood of output takes: milliseconds that the slowest key but one in a hundred waits for its frame, and of the screen its percent of a core and its memory at the end. */
export type Flood = {readonly p99: number; readonly share: number; readonly megabytes: number};

/** Presses keys on a screen that agents flood, and then watches it for some seconds. */
export const measureFlood = async (
	{project, environment}: Playground,
	seconds: number,
): Promise<Flood> => {
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

	const before = usedBy(terminal.process.pid);
	await pass(seconds);
	const after = usedBy(terminal.process.pid);
	terminal.type('q');
	await terminal.exited;
	times.sort((one, other) => one - other);
	return {
		p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN,
		share: (after.own - before.own) / seconds,
		megabytes: after.megabytes,
	};
};
