import {faults} from '../../../fixtures/models/faults.ts';
import {profiles} from '../../../src/agents/profiles/profiles.ts';
import type {AgentVendor} from '../../../src/events/plan.ts';
import type {Arguments} from '../arguments.ts';
import {install} from '../install.ts';
import {incidents} from './incidents.ts';
import {type FaultTrial, tryFault, tryIncident} from './try-fault.ts';

/** Number of parallel tries, each of which mostly waits. */
const lanes = 6;

type Try = {
	readonly title: string;
	readonly run: (vendor: AgentVendor, commands: string) => Promise<FaultTrial>;
};

/** Tries every fault with every vendor, several at once; calls `onTrial` after each. */
export const tryFaults = async (
	{wanted: vendors, only: named}: Pick<Arguments, 'wanted' | 'only'>,
	signal: AbortSignal,
	onTrial: (trial: FaultTrial) => void,
): Promise<readonly FaultTrial[]> => {
	const programs = new Map<AgentVendor, string | Error>();
	for (const vendor of vendors) {
		programs.set(vendor, await install(vendor, profiles[vendor].acp).catch(asError));
	}

	const all: readonly Try[] = [
		...faults.map(fault => ({
			title: fault.title,
			run: (vendor: AgentVendor, commands: string) => tryFault(vendor, fault, {commands, signal}),
		})),
		...incidents.map(incident => ({
			title: incident.title,
			run: (vendor: AgentVendor, commands: string) => tryIncident(vendor, incident, {commands}),
		})),
	];
	const todo = all
		.filter(({title}) => title.includes(named))
		.flatMap(one => vendors.map(vendor => ({vendor, one})));
	const trials: FaultTrial[] = [];
	const work = async (): Promise<void> => {
		for (let next = todo.shift(); next !== undefined && !signal.aborted; next = todo.shift()) {
			const trial = await tryOne(next.vendor, next.one, programs.get(next.vendor));
			trials.push(trial);
			onTrial(trial);
		}
	};

	await Promise.all(Array.from({length: lanes}, work));
	return trials;
};

const tryOne = async (
	vendor: AgentVendor,
	{title, run}: Try,
	commands: string | Error | undefined,
): Promise<FaultTrial> =>
	typeof commands === 'string'
		? run(vendor, commands)
		: {vendor, fault: {title}, sights: [], why: commands?.message ?? 'it is not installed'};

const asError = (error: unknown): Error =>
	error instanceof Error ? error : new Error(String(error));
