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
export const measureFlood = async (place: Playground, seconds: number): Promise<Flood> => {
	using terminal = await openScreen(place);
	const times = await pressKeys(terminal);
	const before = usedBy(terminal.process.pid);
	await pass(seconds);
	const after = usedBy(terminal.process.pid);
	terminal.type('q');
	await terminal.exited;
	return {
		p99: p99Of(times),
		share: (after.own - before.own) / seconds,
		megabytes: after.megabytes,
	};
};

/** Opens a screen on the session of a place, and lets it come to rest. */
export const openScreen = async ({
	project,
	environment,
}: Playground): Promise<ReturnType<typeof openTerminal>> => {
	const terminal = openTerminal({
		...{program: process.execPath, words: [program], columns: 120, rows: 40},
		...{directory: project, environment},
	});
	await terminal.until('AGT-003');
	await pass(5);
	return terminal;
};

/** Presses keys that open and close the help, and returns how long each waited for its frame, in milliseconds. */
export const pressKeys = async (
	terminal: ReturnType<typeof openTerminal>,
): Promise<readonly number[]> => {
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

	return times;
};

/** Returns what all but one in a hundred stay below. */
export const p99Of = (times: readonly number[]): number =>
	times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
