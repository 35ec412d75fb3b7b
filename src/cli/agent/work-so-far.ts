import {Failure} from '../../lib/failure.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {agentOf, isLive, lastSnapshot} from '../../state/select.ts';
import {type Here, isActive, readLastSession} from '../here.ts';
import {askSupervisor} from '../reach-supervisor.ts';

/** Two commits or trees, and what is told of them. */
export type Range = {
	readonly before: string;
	readonly after: string;
	readonly about: Readonly<Record<string, unknown>>;
};

/** Pins what an agent at work has written since its last snapshot; returns whether all that it wrote is pinned. */
export const captured = async (here: Here, id: string): Promise<boolean> => {
	const session = await readLastSession(here);
	const agent = session && agentOf(session.state, id);
	return isActive(session) && agent !== undefined && isLive(agent)
		? askSupervisor(here, {do: 'capture', agent: id}).then(
				() => true,
				() => false,
			)
		: true;
};

/** Returns an agent of the last session. */
export const agentHere = async (here: Here, id: string): Promise<Agent> => {
	const session = await readLastSession(here);
	const agent = session && agentOf(session.state, id);
	if (agent === undefined) {
		const ids = session?.state.agents.map(({id}) => id) ?? [];
		throw new Failure('usage', `There is no agent ${id} in the last session.`, {
			hint: ids.length === 0 ? 'none was started yet' : `take one of: ${ids.join(', ')}`,
		});
	}

	return agent;
};

/** Returns the pinned work of an agent since its base, or since one of its snapshots. */
export const workOf = (agent: Agent, since: string | undefined): Range => {
	const to = lastSnapshot(agent);
	if (to === undefined) {
		throw new Failure('refused', `There is no work of ${agent.id} to show yet.`);
	}

	const from = since === undefined ? undefined : snapshotIn(agent, since);
	const before = from?.work ?? to.startingPoint.base;
	return {
		before,
		after: to.work,
		about: {
			agent: agent.id,
			from: {snapshot: from?.number ?? null, commit: before},
			to: {snapshot: to.number, at: to.at, commit: to.work},
		},
	};
};

const snapshotIn = ({id, snapshots}: Agent, number: string): Snapshot => {
	const found = snapshots.find(snapshot => String(snapshot.number) === number);
	if (found === undefined) {
		throw new Failure('usage', `${id} has no snapshot ${number}.`, {
			hint: `take one of: ${snapshots.map(({number}) => number).join(', ')}`,
		});
	}

	return found;
};
