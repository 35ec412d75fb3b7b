import {statfs} from 'node:fs/promises';
import {z} from 'zod';
import type {Body} from '../../events/event.ts';
import {type Load, loadKinds} from '../../events/load.ts';
import {survivingCheckout} from '../../git/repository/checkouts.ts';
import {shareOf, type Usage, usageOf} from '../../lib/process/process-table.ts';
import {isAlive} from '../../lib/process/processes.ts';
import {atMultiples} from '../../lib/timers.ts';
import {type DiskLook, diskLevel, leaveAloneMs, type Space} from '../../rules/disk.ts';
import {healthOf} from '../../rules/status.ts';
import {allowedLoad} from '../../state/agent/load.ts';
import {budgetStep} from '../../state/agent/spending.ts';
import {agentOf, isGivenUp} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {Loop} from '../loop.ts';
import {type Telemetry, telemetryEntries} from '../telemetry.ts';
import type {World} from '../world.ts';
import {survivorsLeft} from './survivors.ts';

export type HealthParts = {
	readonly world: Pick<World, 'folder' | 'repository' | 'append'>;
	readonly state: () => State;
	/** Returns the disk space of a folder; tests replace it. */
	readonly spaceOf?: (folder: string) => Promise<Space>;
	/** Interval of looks, in milliseconds; default: more often while the space shrinks fast. */
	readonly everyMs?: number;
};

/** Monitors the machine while a session runs. */
type Health = {
	/** Looks at once; resolves when the findings are recorded. */
	readonly look: () => Promise<void>;
	readonly stop: () => void;
};

/**
Watches the space on the session's disks, and the processes that could not be ended.

Only changes go into the journal: a crossed threshold, or a process that is gone.
*/
export const watchHealth = (parts: HealthParts): Health => {
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;
	let before: DiskLook | undefined;
	const look = async (): Promise<void> => {
		clearTimeout(timer);
		// A failed look is repeated later.
		const [disk] = await Promise.allSettled([lookAtDisk(parts), lookAtSurvivors(parts)]);
		const seen = disk.status === 'fulfilled' ? disk.value : undefined;
		if (!stopped) {
			timer = setTimeout(look, parts.everyMs ?? leaveAloneMs(seen, before));
			before = seen;
		}
	};

	timer = setTimeout(look, parts.everyMs ?? leaveAloneMs(undefined, undefined));
	return {
		look,
		stop: () => {
			stopped = true;
			clearTimeout(timer);
		},
	};
};

/** Returns the disk space that is available to unprivileged users. */
export const freeSpace = async (folder: string): Promise<Space> => {
	const {bavail, blocks, bsize} = await statfs(folder);
	return {free: bavail * bsize, total: blocks * bsize};
};

/** Checks the disk of the session's folder, to which agents write, and the disk of the checkout, to which merges write. */
const lookAtDisk = async ({
	world,
	state,
	spaceOf = freeSpace,
}: HealthParts): Promise<DiskLook | undefined> => {
	const {root} = await survivingCheckout(world.repository);
	const folders = [world.folder.path, root];
	const spaces = await Promise.all(
		folders.map(async folder => ({folder, ...(await spaceOf(folder))})),
	);
	const [least] = spaces.toSorted((one, other) => one.free - other.free);
	const {session, disk} = state();
	if (least === undefined || session === null || session.ended) {
		return undefined;
	}

	const before = disk?.level ?? 'enough';
	const level = diskLevel(least, before);
	if (level !== before) {
		await world.append([{kind: 'machine.disk', level, ...least}]);
	}

	return {free: least.free, atMs: performance.now()};
};

const lookAtSurvivors = async ({world, state}: HealthParts): Promise<void> => {
	const {survivors} = state();
	const gone = survivors.filter(survivor => !isAlive(survivor));
	const agents = new Set(gone.map(({agent}) => agent));
	await Promise.all(
		[...agents].map(agent =>
			world.append([
				survivorsLeft(
					agent,
					survivors.filter(one => one.agent === agent && !gone.includes(one)),
				),
			]),
		),
	);
};

/** Interval of health records, in milliseconds. */
const everyMs = 30_000;

/** Checks the clock and writes the session's health into its telemetry at intervals; returns a function that stops it. */
export const keepHealthRecord = (
	telemetry: Pick<Telemetry, 'write'>,
	{state, awakeMs, lookAtClock}: Pick<Loop, 'state' | 'awakeMs' | 'lookAtClock'>,
): (() => void) => {
	return atMultiples(everyMs, () => {
		lookAtClock();
		const now = state();
		if (now.session !== null) {
			telemetry.write({kind: 'health', awakeMs: Math.floor(awakeMs()), ...healthOf(now)});
		}
	});
};

/** Interval of looks at agents' processes, in milliseconds. */
const loadEveryMs = 10_000;

/** Writes the resource usage of working agents into the telemetry at intervals, and reports an agent that approaches a limit; returns a function that stops it. */
export const keepLoadRecord = (
	telemetry: Pick<Telemetry, 'write'>,
	{
		state,
		report = () => {},
		besides = () => ({}),
		now = () => performance.now(),
	}: Pick<Loop, 'state'> & {
		readonly report?: (body: Body) => void;
		/** Returns an agent's use beyond its processes. Where the kernel has refused it more, this is at least the limit. */
		readonly besides?: (agent: string, used: Load) => Load;
		readonly now?: () => number;
	},
): (() => void) => {
	let last: {readonly at: number; readonly usage: ReadonlyMap<number, Usage>} | undefined;
	const told = new Map<string, Used>();
	return atMultiples(loadEveryMs, () => {
		const live = state().agents.flatMap(({id, turn}) =>
			turn.phase === 'live' ? [{agent: id, turn: turn.number, pid: turn.pid}] : [],
		);
		const usage = live.length === 0 ? new Map<number, Usage>() : usageOf(live.map(({pid}) => pid));
		const at = now();
		for (const {pid, agent, turn} of live) {
			const [before, used] = [last?.usage.get(pid), usage.get(pid)];
			const whole = used && loadOf(used, besides(agent, used));
			// Memory shared by several processes is divided among them only if that decides: it takes time.
			const counted =
				whole !== undefined && isNearer(state(), agent, whole)
					? usageOf([pid], shareOf).get(pid)
					: undefined;
			const shared = counted && loadOf(counted, besides(agent, counted));
			if (shared !== undefined && isNearer(state(), agent, shared)) {
				report({kind: 'load.counted', agent, turn, ...shared});
			}

			if (last !== undefined && before !== undefined && used !== undefined) {
				const share = Math.max(0, used.cpuMs - before.cpuMs) / Math.max(1, at - last.at);
				if (isNews({...used, share}, told.get(`${agent} ${turn}`))) {
					told.set(`${agent} ${turn}`, {...used, share});
					const {memory, processes} = used;
					const cpu = Math.round(share * 100);
					telemetry.write({kind: 'load', cpu, memory, processes, turn, agent});
				}
			}
		}

		last = {at, usage};
	});
};

const loadOf = ({memory, processes, cpuMs}: Usage, besides: Load) => ({
	...{memory, processes, cpu: cpuMs},
	...besides,
});

/** Returns whether an agent has come nearer to a limit, or exceeded it, and no person is asked about it yet. */
const isNearer = (state: State, id: string, used: Load): boolean => {
	const agent = agentOf(state, id);
	const asked = state.items.flatMap(item =>
		item.kind === 'limit' && item.agent === id ? [item.of] : [],
	);
	return (
		agent !== undefined &&
		agent.outcome === undefined &&
		!isGivenUp(agent) &&
		loadKinds.some(of => {
			const step = budgetStep([{used: used[of] ?? 0, allowed: allowedLoad(state, agent, of)}]);
			return (
				!asked.includes(of) &&
				(step === 'over' || (step === 'near' && !asked.includes(`${of}-near`)))
			);
		})
	);
};

/** Usage of an agent's processes, with their share of a core since the last look. */
type Used = Usage & {readonly share: number};

/** Returns whether a person would see a difference: each line that is written makes all screens redraw. */
const isNews = (now: Used, before: Used | undefined): boolean =>
	before === undefined ||
	now.processes !== before.processes ||
	Math.abs(now.share - before.share) >= 0.03 ||
	Math.abs(now.memory - before.memory) > before.memory / 20;

const recordSchema = z.object({kind: z.literal('health'), awakeMs: z.number().max(8e15)});

/** Returns the session time of the last health record, so that a restart doesn't lose the time since the last event. */
export const lastRecordedMs = async (telemetry: string): Promise<number> => {
	let last = 0;
	for await (const {awakeMs} of telemetryEntries(telemetry, ['health'], recordSchema)) {
		last = Math.max(last, awakeMs);
	}

	return last;
};
