import type {AgentOrder} from '../../events/agent-order.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {Item} from '../../state/item.ts';
import {agentOf, isGivenUp, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** What a person asks of one agent. */
export type SteerCommand = {readonly agent: string; readonly order: AgentOrder};

/** Returns in words why an agent can't be steered so now, or nothing when it can. */
export const whyNotSteer = (state: State, {agent: id, order}: SteerCommand): string | undefined => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return `There is no agent ${id} in this session.`;
	}

	return whyNoMore(state, agent) ?? whyNotVerb(state, agent, order);
};

/** Returns what to do instead of steering that is refused. */
export const hintForSteering = (state: State, {agent: id}: SteerCommand): string => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return `take one of: ${state.agents.map(({id}) => id).join(', ')}`;
	}

	const asking = askingItem(state, agent) ?? planItem(state);
	return asking === undefined
		? 'delegate-tui status shows where each agent stands'
		: `delegate-tui answer ${asking.id}`;
};

const whyNoMore = (state: State, agent: Agent): string | undefined => {
	if (agent.state === 'MERGED') {
		return `The work of ${agent.id} is merged.`;
	}

	if (agent.state === 'ABORTED') {
		return `${agent.id} is out of the session: ${agent.why}.`;
	}

	if (isGivenUp(agent)) {
		return `${agent.id} is being stopped.`;
	}

	const plan = planItem(state);
	return plan && `The plan is not approved yet; ${plan.id} asks what becomes of it.`;
};

const planItem = ({items}: State): Item | undefined => items.find(({kind}) => kind === 'plan');

/** The item that asks what becomes of an agent that has come to its end. */
const askingItem = (state: State, {id}: Agent): Item | undefined =>
	itemsOf(state, id).find(({kind}) => kind === 'review' || kind === 'failure');

const whyNotVerb = (state: State, agent: Agent, {verb}: AgentOrder): string | undefined => {
	switch (verb) {
		case 'stop':
			return whyAsked(state, agent);
	}
};

const whyAsked = (state: State, agent: Agent): string | undefined => {
	const item = askingItem(state, agent);
	return (
		item &&
		`${agent.id} has ${item.kind === 'review' ? 'finished' : 'failed'}; ${item.id} asks what becomes of its work.`
	);
};
