import {statSync} from 'node:fs';
import {type Load, loadKinds} from '../../events/load.ts';
import type {Containment} from '../../lib/process/containment.ts';
import {type Limited, type Limits, limited} from '../../lib/process/limits.ts';
import {runProgram} from '../../lib/process/run-program.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {defined, isSame} from '../../lib/values.ts';
import {allowedLoad} from '../../state/agent/load.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';

/** Resource limits of agents' processes and of commands on their work, as far as this machine can enforce them. */
export type AgentLimits = {
	readonly limit: (agent: string, containment: Containment) => Containment;
	/** Returns an agent's use beyond its processes. Where the kernel has refused it more, this is at least the limit. */
	readonly besides: (agent: string, used: Load) => Load;
	/** Releases the limits of an agent whose turn has ended, unless its process lives on; returns why the kernel ended one of its processes, if it did. */
	readonly release: (agent: string) => string | undefined;
	/** Releases the limits of a process that outlived its turn and has ended now. */
	readonly releaseKept: (agent: string) => void;
	/** Limits commands like the agent in whose worktree they run, or else by the limits for all agents. */
	readonly limitCommands: (
		name: string,
		agent: string | undefined,
		containment: Containment,
	) => {
		readonly containment: Containment;
		/** Releases the limits, and returns why the kernel ended one of the processes, if it did. */
		readonly release: () => string | undefined;
	};
};

export const createAgentLimits = ({
	state,
	folder,
}: {
	readonly state: () => State;
	readonly folder: Pick<SessionFolder, 'agent'>;
}): AgentLimits => {
	const held = new Map<string, Held>();
	const disks = createDiskLooks();
	return {
		limit: (agent, containment) => {
			const limits = limitsOf(allowedOf(state(), agent));
			const kept = limited(containment, agent, limits);
			held.set(agent, {limited: kept, limits});
			return {...containment, ...kept.words};
		},
		besides: (agent, used) => {
			const allowed = allowedOf(state(), agent);
			const limits = limitsOf(allowed);
			const of = held.get(agent);
			if (of !== undefined && !isSame(of.limits, limits)) {
				of.limited.change(limits);
				held.set(agent, {...of, limits});
			}

			const refused = (of?.limited.refused() ?? []).map(kind => [
				kind,
				Math.max(used[kind] ?? 0, allowed[kind] ?? 0),
			]);
			const {path, transcript} = folder.agent(agent);
			const file = transcript(agentOf(state(), agent)?.turn.number ?? 0);
			return {
				...Object.fromEntries(refused),
				output: sizeOf(file) + sizeOf(`${file}.err`),
				...defined({disk: allowed.disk === undefined ? undefined : disks.usedBelow(path)}),
			};
		},
		release: agent => {
			const of = held.get(agent);
			if (of !== undefined) {
				held.set(agent, {...of, isOver: true});
			}

			return of && released(of);
		},
		releaseKept: agent => {
			const of = held.get(agent);
			// The process of a newer turn uses the group already.
			if (of?.isOver) {
				of.limited.release();
			}
		},
		limitCommands: (name, agent, containment) => {
			const limits = limitsOf(allowedOf(state(), agent));
			const kept = limited(containment, name, limits);
			return {
				containment: {...containment, ...kept.words},
				release: () => released({limited: kept, limits}),
			};
		},
	};
};

type Held = {
	readonly limited: Limited;
	readonly limits: Limits;
	/** True if the turn has ended. */
	readonly isOver?: true;
};

const released = ({limited, limits}: Held): string | undefined => {
	const isRefused = limited.refused().includes('memory');
	limited.release();
	return isRefused
		? `the kernel ended a process of it: together they may use ${bytesText(limits.memory ?? 0)} of memory`
		: undefined;
};

const allowedOf = (state: State, id = ''): Load => {
	const agent = agentOf(state, id) ?? {subtask: {}};
	const all = loadKinds.map(kind => [kind, allowedLoad(state, agent, kind)] as const);
	return Object.fromEntries(all.filter(([, allowed]) => Number.isFinite(allowed)));
};

export const limitsOf = ({memory, processes, disk}: Load): Limits =>
	defined({memory, processes, file: disk});

const sizeOf = (file: string): number => statSync(file, {throwIfNoEntry: false})?.size ?? 0;

/** Interval at which a folder is measured, in milliseconds: a worktree with installed packages takes a while. */
const diskEveryMs = 60_000;

/** Measures folders in the background; callers get the latest result. */
const createDiskLooks = () => {
	const looks = new Map<string, {readonly at: number; readonly used?: number}>();
	const look = async (path: string): Promise<void> => {
		const {stdout} = await runProgram('du', ['-skx', path], {env: process.env});
		const used = Number.parseInt(`${stdout}`, 10) * 1024;
		looks.set(path, {at: performance.now(), used});
	};
	return {
		usedBelow: (path: string): number | undefined => {
			const last = looks.get(path);
			if (last === undefined || performance.now() - last.at > diskEveryMs) {
				looks.set(path, {...last, at: performance.now()});
				look(path).catch(() => {});
			}

			return looks.get(path)?.used;
		},
	};
};
