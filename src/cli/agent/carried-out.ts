import type {AgentOrder} from '../../events/agent-order.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {checkText} from '../../state/agent/claims/check-text.ts';
import {checkOfWork} from '../../state/agent/claims/snapshot-check.ts';
import {agentOf, isLive, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {followAwake} from '../follow-session.ts';
import type {Here, LastSession} from '../here.ts';

/** How long it is waited for, in milliseconds: an agent may take seconds to end politely. */
const patienceMs = 60_000;

/** Waits until an agent has done what a person had it do, and returns in a sentence how it stands then. */
export const carriedOut = async (
	here: Here,
	{folder}: LastSession,
	id: string,
	order: AgentOrder,
	seq: number,
): Promise<string> => {
	const signal = AbortSignal.timeout(patienceMs);
	for await (const {state} of followAwake(here, folder, signal)) {
		const told = state.seq < seq ? undefined : outcomeOf(state, id, order);
		if (told !== undefined) {
			return told;
		}
	}

	return `${id} was told; it takes long. See: delegate-tui status`;
};

const outcomeOf = (state: State, id: string, order: AgentOrder): string | undefined => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return undefined;
	}

	const snapshot = lastSnapshot(agent);
	const kept = snapshot === undefined ? '' : ` Its work is kept in snapshot ${snapshot.number}.`;
	switch (order.verb) {
		case 'message':
			return messageText(agent, order.now ?? false);
		case 'pause':
			return isLive(agent) || agent.state === 'RUNNING' ? undefined : `${pausedText(agent)}${kept}`;
		case 'resume':
			return `${id} goes on${agent.state === 'PENDING' ? ' waiting for its start' : ', as soon as a place is free for it'}.`;
		case 'restart':
			return `${id} starts over${order.from === null ? '' : ` from snapshot ${order.from}`}${order.as === undefined ? '' : ` as ${order.as.profile}`}, as soon as a place is free for it.`;
		case 'grant':
			return grantText(agent);
		case 'check':
			return agent.toCheck === undefined
				? `The plan’s checks on the work of ${id} alone ${checkText(checkOfWork(agent))}`
				: undefined;
		case 'stop':
			return agent.state === 'ABORTED' && !isLive(agent)
				? `${id} is out of the session.${kept}${state.session?.ended ? ' The session has ended with it.' : ''}`
				: undefined;
	}
};

/** Its worktree is left alone while it works. */
const grantText = (agent: Agent): string | undefined => {
	if (agent.granted === undefined) {
		return `It is granted to ${agent.id}. What came back: delegate-tui diff ${agent.id}`;
	}

	return isLive(agent)
		? `It is granted to ${agent.id}, and comes back once its turn is over.`
		: undefined;
};

/** One that is to be told now is waited for. */
const messageText = (agent: Agent, now: boolean): string | undefined => {
	const queued = agent.replies.some(({heading}) => heading === 'MESSAGE');
	if (!queued) {
		return `${agent.id} was told.`;
	}

	return now
		? undefined
		: `${agent.id} is told at its next turn${agent.held === undefined ? '' : '; it is paused'}.`;
};

/** It may have come to its end by itself before. */
const pausedText = ({id, held, state}: Agent): string =>
	held === undefined
		? `${id} came to its end before: ${state}.`
		: `${id} is paused; delegate-tui agent ${id} resume lets it go on.`;
