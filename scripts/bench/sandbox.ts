import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Containment, findContainment} from '../../src/lib/process/containment.ts';
import {runProgram} from '../../src/lib/process/run-program.ts';
import {sandboxed} from '../../src/supervisor/machine/sandbox.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, program} from '../pictures/playground.ts';
import {openScreen, p99Of, pressKeys} from './flood.ts';
import {sessionOf, silent, startSession} from './idle.ts';
import {medianOf, timeOf} from './places.ts';

/** Prints the extra time of a command's start in the sandbox, made anew each time, and of a session of three agents, as medians of several alternating rounds, of which sessions have a tenth; then the time of a key to its frame beside agents that use all CPUs. */
export const benchSandbox = async (rounds: number): Promise<void> => {
	const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-bench-'));
	const tree = join(folder, 'agent', 'tree');
	const forbidden = ['.claude', 'src/legacy'];
	await Promise.all(forbidden.map(path => mkdir(join(tree, path), {recursive: true})));
	const containment = await findContainment();
	const {fileSandbox, why} = containment;
	if ('missing' in fileSandbox) {
		console.log(`No sandbox here: ${fileSandbox.missing}.`);
		return;
	}

	const environment = {PATH: process.env.PATH ?? '', HOME: join(folder, 'home')};
	const start = async ({prefix}: Pick<Containment, 'prefix'>): Promise<void> => {
		const [program = 'true', ...words] = [...prefix, 'true'];
		await runProgram(program, words, {cwd: tree, env: environment});
	};
	const boxed = async (): Promise<void> =>
		start(
			await sandboxed(containment, undefined, {
				...{tree, environment, lenders: [], more: [], commands: [['true']], forbidden},
				caches: join(folder, 'caches'),
			}),
		);
	const times: {readonly plain: number; readonly boxed: number}[] = [];
	await boxed();
	for (let round = 0; round < Math.max(rounds, leastStarts); round++) {
		times.push({plain: await timeOf(() => start(containment)), boxed: await timeOf(boxed)});
	}

	await rm(folder, {recursive: true});
	const [without, inside] = [
		medianOf(times.map(one => one.plain)),
		medianOf(times.map(one => one.boxed)),
	];
	console.log(
		`A command that does nothing: ${without.toFixed(1)} ms without the sandbox (${why}), ${inside.toFixed(1)} ms in it: ${(inside - without).toFixed(1)} ms more, two forbidden folders included.`,
	);
	await benchSessions(Math.ceil(rounds / 10));
	await benchKeys(Math.ceil(rounds / 10));
};

/** Fewer starts than these have no median that is the same twice: they take milliseconds, and the first one creates the folders. */
const leastStarts = 40;

/** One agent with a busy loop, and a thousand short processes, repeatedly; the others are silent. */
const busy = sessionOf([
	...['sh', '-c'],
	`[ "$DELEGATE_AGENT" = AGT-001 ] || exec sleep 3600
while :; do :; done &
while :; do for i in $(seq 1000); do true & done; wait $!; done`,
]);

/** Prints the time of a key to its frame beside silent agents and beside busy ones, in alternating rounds: for each round, and for all keys together. */
export const benchKeys = async (rounds: number): Promise<void> => {
	await buildWhenStale();
	const stories = [
		['silent', silent],
		['busy', busy],
	] as const;
	const waits = {silent: [] as number[], busy: [] as number[]};
	for (let round = 0; round < rounds; round++) {
		const own = {silent: Number.NaN, busy: Number.NaN};
		for (const [name, story] of round % 2 === 0 ? stories : stories.toReversed()) {
			await using place = await makePlayground(story);
			await using _session = await startSession(place);
			using terminal = await openScreen(place);
			const times = await pressKeys(terminal);
			terminal.type('q');
			await terminal.exited;
			own[name] = p99Of(times);
			waits[name].push(...times);
		}

		console.log(
			`Round ${round + 1}: ${own.silent.toFixed(0)} ms silent, ${own.busy.toFixed(0)} ms busy.`,
		);
	}

	const [without, beside] = [p99Of(waits.silent), p99Of(waits.busy)];
	console.log(
		`Key to frame, p99 of ${waits.busy.length} keys: ${without.toFixed(0)} ms beside three silent agents, ${beside.toFixed(0)} ms where one of them has a busy loop and starts a thousand processes at a time: ×${(beside / without).toFixed(2)} (bound: ${boundMs} ms).`,
	);
};

/** Limit of a key's time to its frame, in milliseconds, the same as beside agents that print without end. */
const boundMs = 30;

/** Plays the demo's session of three agents, from the plan to the merge, with and without the sandbox. */
const benchSessions = async (rounds: number): Promise<void> => {
	await buildWhenStale();
	const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-bench-'));
	const play = (processes: string) => async (): Promise<void> => {
		const words = [program, 'demo', 'parallel', '--headless', '--fast'];
		const env = {...process.env, TMPDIR: folder, DELEGATE_TUI_PROCESSES: processes};
		const {code, stderr} = await runProgram(process.execPath, words, {cwd: folder, env});
		if (code !== 0) {
			throw new Error(`The session failed: ${stderr}`);
		}
	};
	const [plain, boxed] = [play('namespace'), play('')];
	const times: {readonly plain: number; readonly boxed: number}[] = [];
	for (let round = 0; round < rounds; round++) {
		times.push({plain: await timeOf(plain), boxed: await timeOf(boxed)});
	}

	await rm(folder, {recursive: true});
	const [without, inside] = [
		medianOf(times.map(one => one.plain)),
		medianOf(times.map(one => one.boxed)),
	];
	console.log(
		`A session of three agents: ${(without / 1000).toFixed(1)} s without the sandbox, ${(inside / 1000).toFixed(1)} s in it: ×${(inside / without).toFixed(2)}.`,
	);
};
