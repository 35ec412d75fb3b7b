import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {findContainment} from '../../src/lib/process/containment.ts';
import {runCommands} from '../../src/supervisor/machine/shell.ts';
import {openSlots} from '../../src/supervisor/machine/slots.ts';

/** Prints the extra time of a check's command with its own slot and network, as the median of several alternating rounds. */
export const benchPlaces = async (rounds: number): Promise<void> => {
	const state = await mkdtemp(join(tmpdir(), 'delegate-tui-bench-'));
	const containment = await findContainment();
	const slots = openSlots(state);
	const plain = async (): Promise<void> => {
		await run({});
	};
	const apart = async (): Promise<void> => {
		const cwd = await mkdtemp(join(state, 'check-'));
		const {TMPDIR: folder} = await slots.variablesOf(join(cwd, 'tree'));
		await run({network: {own: true, needs: [], folder}});
		await slots.giveUp(cwd);
	};
	const run = (more: Partial<Parameters<typeof runCommands>[1]>) =>
		runCommands(['true'], {
			...{cwd: state, env: {PATH: process.env.PATH ?? ''}, containment, mark: 'BENCH_PLACES=1'},
			...{log: join(state, 'log'), ...more},
		});
	const times: {readonly plain: number; readonly apart: number}[] = [];
	for (let round = 0; round < rounds; round++) {
		times.push({plain: await timeOf(plain), apart: await timeOf(apart)});
	}

	await rm(state, {recursive: true});
	const [without, own] = [
		medianOf(times.map(one => one.plain)),
		medianOf(times.map(one => one.apart)),
	];
	console.log(
		`A command that does nothing (${containment.why}, ${containment.ownNetwork === undefined ? 'no network of its own here, ports are watched' : 'with a network of its own'}):`,
	);
	console.log(
		`without ${without.toFixed(1)} ms, with ${own.toFixed(1)} ms: ${(own - without).toFixed(1)} ms more`,
	);
};

export const timeOf = async (work: () => Promise<void>): Promise<number> => {
	const began = performance.now();
	await work();
	return performance.now() - began;
};

export const medianOf = (times: readonly number[]): number =>
	times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
