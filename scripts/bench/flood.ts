import {openTerminal, type TestTerminal} from '../../test/helpers/terminal.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, type Playground, program} from '../pictures/playground.ts';
import {printColumns} from './columns.ts';
import {pass, sessionOf, startSession, supervisorIn, usedBy} from './idle.ts';
import {figures, keep, occasion} from './keep.ts';
import {linesOf} from './lines.ts';

const line = 'compiled src/orders/list.ts in 12 ms, and went on to the next of its files\n';

/** Three agents that print 10,000 lines a second each. */
export const flooding = sessionOf([
	...['node', '-e'],
	`setInterval(() => process.stdout.write(${JSON.stringify(line)}.repeat(100)), 10)`,
]);

/** Costs of flooding output: the 99th percentile of a key's time to its frame, in milliseconds; the screen's percentage of a core, and the memory of screen and supervisor at the end. */
export type Flood = {
	readonly p99: number;
	readonly share: number;
	readonly megabytes: number;
	readonly supervisor: number;
};

const presses = 50;

/** Presses keys on a screen that agents flood, and then watches it for some seconds, repeatedly. */
export const measureFlood = async (
	place: Playground,
	{seconds, times}: {readonly seconds: number; readonly times: number},
): Promise<readonly Flood[]> => {
	using terminal = await openScreen(place);
	const floods: Flood[] = [];
	for (let time = 0; time < times; time++) {
		const p99 = p99Of(await pressKeys(terminal));
		const before = usedBy(terminal.process.pid);
		await pass(seconds);
		const after = usedBy(terminal.process.pid);
		floods.push({
			...{p99, share: (after.own - before.own) / seconds, megabytes: after.megabytes},
			supervisor: usedBy(supervisorIn(place)).megabytes,
		});
	}

	terminal.type('q');
	await terminal.exited;
	return floods;
};

/** Opens a screen on the session of a place, and waits until it is idle. */
export const openScreen = async ({project, environment}: Playground): Promise<TestTerminal> => {
	const terminal = openTerminal({
		...{program: process.execPath, words: [program], columns: 120, rows: 40},
		...{directory: project, environment},
	});
	await terminal.until('AGT-003');
	await pass(5);
	return terminal;
};

/** Presses keys that open and close the help, and returns the time of each to its frame, in milliseconds. */
export const pressKeys = async (terminal: TestTerminal): Promise<readonly number[]> => {
	const times: number[] = [];
	for (let press = 0; press < presses; press++) {
		for (const [key, isHelp] of [
			['?', true],
			// Not Escape, which is held back for 20 ms, since it may begin the sequence of another key.
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

/** Returns the 99th percentile. */
export const p99Of = (times: readonly number[]): number =>
	times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;

/** Watches a flood minute by minute for growing costs: prints a table, and stores it as JSON and as a plot in `docs/bench`. */
export const benchFlood = async (minutes: number): Promise<void> => {
	await buildWhenStale();
	await using place = await makePlayground(flooding);
	await using _session = await startSession(place);
	const floods = await measureFlood(place, {seconds: 50, times: minutes});
	printColumns(
		['minute', 'key to frame, p99', 'screen', 'its memory', "supervisor's memory"],
		floods.map(({p99, share, megabytes, supervisor}, index) => [
			...[String(index + 1), `${p99.toFixed(0)} ms`, `${share.toFixed(0)} %`],
			...[`${megabytes.toFixed(0)} MB`, `${supervisor.toFixed(0)} MB`],
		]),
	);
	const {date, machine} = occasion();
	const plot = linesOf(
		`Of what a flood of 30,000 lines a second may take at most (${date}, ${machine})`,
		floods.map((_, index) => index + 1),
		[
			{label: 'key to frame / 30 ms', shares: floods.map(({p99}) => p99 / 30)},
			{label: 'screen / 20 %', shares: floods.map(({share}) => share / 20)},
			{label: 'its memory / 180 MB', shares: floods.map(({megabytes}) => megabytes / 180)},
			{label: 'supervisor / 180 MB', shares: floods.map(({supervisor}) => supervisor / 180)},
		],
	);
	await keep({'flood.json': figures({date, machine, floods}), 'flood.svg': plot});
};
