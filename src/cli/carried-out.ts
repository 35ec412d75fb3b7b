import {followSession} from '../client/follow-session.ts';
import type {AgentOrder} from '../events/agent-order.ts';
import {agentOf, isLive, lastSnapshot} from '../state/select.ts';
import type {State} from '../state/state.ts';
import type {LastSession} from './here.ts';

/** How long it is waited for, in milliseconds: an agent may take seconds to end politely. */
const patienceMs = 60_000;

/** Waits until an agent has done what a person had it do, and returns in a sentence how it stands then. */
export const carriedOut = async (
	{folder}: LastSession,
	id: string,
	order: AgentOrder,
	seq: number,
): Promise<string> => {
	const signal = AbortSignal.timeout(patienceMs);
	for await (const {state} of followSession(folder.journal, signal)) {
		const told = state.seq < seq ? undefined : toldOf(state, id, order);
		if (told !== undefined) {
			return told;
		}
	}

	return `${id} was told; it takes long. See how it stands: delegate-tui status`;
};

const toldOf = (state: State, id: string, order: AgentOrder): string | undefined => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return undefined;
	}

	const snapshot = lastSnapshot(agent);
	const kept = snapshot === undefined ? '' : ` Its work is kept in snapshot ${snapshot.number}.`;
	switch (order.verb) {
		case 'stop':
			return agent.state === 'ABORTED' && !isLive(agent)
				? `${id} is out of the session.${kept}${state.session?.ended ? ' The session has ended with it.' : ''}`
				: undefined;
	}
};
