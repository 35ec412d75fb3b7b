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

/** Keeps the processes of agents, and what runs on their work, within what they may use, as far as this machine can. */
export type AgentLimits = {
	/** Returns a containment in which what an agent starts is limited. */
	readonly limit: (agent: string, containment: Containment) => Containment;
	/** Returns what an agent uses besides its processes, and more than these use where the kernel has refused it more. */
	readonly besides: (agent: string, used: Load) => Load;
	/** Forgets the limits of one whose turn has ended, unless its process lives on; returns why the kernel ended a process of it, if it did. */
	readonly release: (agent: string) => string | undefined;
	/** Forgets those of a process that lived on after its turn, once it has ended, too. */
	readonly releaseKept: (agent: string) => void;
	/** Limits commands by what the agent may use whose worktree they run in, or else by what each agent may. */
	readonly limitCommands: (
		name: string,
		agent: string | undefined,
		containment: Containment,
	) => {
		readonly containment: Containment;
		/** Forgets them, and returns why the kernel ended a process of them, if it did. */
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
			// A turn that has begun meanwhile has the group for its own process.
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
	/** Its turn has ended. */
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
	const all = loadKinds.map(kind => [kind, finite(allowedLoad(state, agent, kind))] as const);
	return defined(Object.fromEntries(all));
};

const finite = (amount: number): number | undefined =>
	Number.isFinite(amount) ? amount : undefined;

export const limitsOf = ({memory, processes, disk}: Load): Limits =>
	defined({memory, processes, file: disk});

const sizeOf = (file: string): number => statSync(file, {throwIfNoEntry: false})?.size ?? 0;

/** How often a folder is measured, in milliseconds: with what is installed in a worktree it takes a while. */
const diskEveryMs = 60_000;

/** Measures folders beside whoever asks, who gets what was found last. */
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
