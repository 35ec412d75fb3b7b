import {type Fault, faults} from '../../../fixtures/models/faults.ts';
import {profiles} from '../../../src/agents/profiles/profiles.ts';
import type {AgentVendor} from '../../../src/events/plan.ts';
import {install} from '../install.ts';
import {type FaultTrial, tryFault} from './try-fault.ts';

/** How many are tried at once: most of the time each of them waits. */
const lanes = 6;

/** Tries every fault with every vendor, several at once; `onTrial` is called with each as it is done. */
export const tryFaults = async (
	vendors: readonly AgentVendor[],
	signal: AbortSignal,
	onTrial: (trial: FaultTrial) => void,
): Promise<readonly FaultTrial[]> => {
	const programs = new Map<AgentVendor, string | Error>();
	for (const vendor of vendors) {
		programs.set(vendor, await install(vendor, profiles[vendor].acp).catch(asError));
	}

	const todo = faults.flatMap(fault => vendors.map(vendor => ({vendor, fault})));
	const trials: FaultTrial[] = [];
	const work = async (): Promise<void> => {
		for (let next = todo.shift(); next !== undefined && !signal.aborted; next = todo.shift()) {
			const trial = await tryOne(next.vendor, next.fault, programs.get(next.vendor), signal);
			trials.push(trial);
			onTrial(trial);
		}
	};

	await Promise.all(Array.from({length: lanes}, work));
	return trials;
};

const tryOne = async (
	vendor: AgentVendor,
	fault: Fault,
	commands: string | Error | undefined,
	signal: AbortSignal,
): Promise<FaultTrial> =>
	typeof commands === 'string'
		? tryFault(vendor, fault, {commands, signal})
		: {vendor, fault, sights: [], why: commands?.message ?? 'it is not installed'};

const asError = (error: unknown): Error =>
	error instanceof Error ? error : new Error(String(error));
