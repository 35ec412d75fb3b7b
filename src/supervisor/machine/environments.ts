import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import type {Environments, Plan} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import {errorCode} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {KeptEnvironments} from '../world.ts';

/**
Opens the file with a session's environments, which only its owner can read.

Its key is the plan, so the environments of an edited plan can be written before that plan is applied: after a crash or a refusal, the old plan still has its own.
*/
export const keepEnvironments = async (
	file: string,
	state: () => State,
): Promise<KeptEnvironments> => {
	let kept = await read(file);
	let writing = Promise.resolve();
	const keep = (plan: Plan, environments: Environments): Promise<void> => {
		kept = {...kept, [nameOf(plan)]: environments};
		const write = () => writeAtomically(file, JSON.stringify(kept), {mode: 0o600});
		const written = writing.then(write);
		writing = written.catch(() => {});
		return written;
	};

	return {
		get: agent => {
			const plan = state().session?.plan;
			return plan === undefined ? {} : environmentOf(kept[nameOf(plan)] ?? {}, state(), agent);
		},
		keepOf: async (agent, environment) => {
			const plan = state().session?.plan;
			if (plan !== undefined) {
				await keep(plan, {...kept[nameOf(plan)], [agent]: environment});
			}
		},
		keep,
	};
};

/** Returns the environments of the agents in a session's plan, by agent. */
export const readEnvironments = async (file: string, state: State): Promise<Environments> => {
	const kept = await keepEnvironments(file, () => state);
	const agents = state.session?.plan.agents ?? [];
	return Object.fromEntries(agents.map(({id}) => [id, kept.get(id)]));
};

type Kept = Readonly<Record<string, Environments>>;

const read = async (file: string): Promise<Kept> => {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		if (errorCode(error) === 'ENOENT') {
			return {};
		}

		throw new Failure('internal', `The environments of the agents in ${file} can’t be read.`, {
			hint: 'correct the file, or remove it to go on without the plan’s "env"',
			cause: error,
		});
	}
};

/** Returns a plan's key. The journal returns a plan exactly as it was written. */
const nameOf = (plan: Plan): string =>
	createHash('sha256').update(JSON.stringify(plan)).digest('hex');

/**
Returns the environment from an agent's profile.

An agent that joins a running session gets the environment of one with the same command: otherwise it would lack that one's login or model.
*/
export const environmentOf = (
	environments: Environments,
	state: State,
	id: string,
): Readonly<Record<string, string>> => {
	const own = environments[id];
	const agent = agentOf(state, id);
	if (own !== undefined || agent === undefined) {
		return own ?? {};
	}

	const command = JSON.stringify(agent.subtask.agent);
	const isAlike = (other: string): boolean =>
		JSON.stringify(agentOf(state, other)?.subtask.agent) === command;
	const models = [
		...(agent.requestedBy === undefined ? [] : [agent.requestedBy]),
		...Object.keys(environments),
	];
	const [alike = {}] = models
		.filter(isAlike)
		.map(other => environments[other])
		.filter(given => given !== undefined);
	return alike;
};
