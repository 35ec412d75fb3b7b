import type {AgentOrder} from '../../events/agent-order.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {blockingItems} from '../../state/blocking-items.ts';
import {whyNotGrant} from '../../state/granted.ts';
import type {Item} from '../../state/item.ts';
import {agentOf, isGivenUp, itemOf, itemsOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {whyNotStopOver} from '../collisions.ts';
import {modelWaitOf} from '../effects/model-retry.ts';
import {limitWaitOf} from '../limit-wait.ts';

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

const whyNotVerb = (state: State, agent: Agent, order: AgentOrder): string | undefined => {
	switch (order.verb) {
		case 'message':
			return (
				whyOver(state, agent) ??
				(order.now ? whyNotNow(state, agent) : undefined) ??
				(order.about === undefined ? undefined : whyNotStopOver(state, agent.id, order.about))
			);
		case 'pause':
			return whyOver(state, agent) ?? whyNotPause(agent, order);
		case 'resume':
			return order.visit === undefined &&
				agent.held === undefined &&
				modelWaitOf(state, agent) === undefined &&
				limitWaitOf(state, agent) === undefined
				? `${agent.id} is not paused.`
				: undefined;
		case 'restart':
			return whyNotRestart(state, agent, order);
		case 'grant':
			return whyTaken(agent) ?? whyNotGrant(agent, order.paths);
		case 'check':
			return whyNotCheck(state, agent);
		case 'stop':
			return whyAsked(state, agent);
	}
};

/** Who is done, or was taken as done, has no next turn. */
const whyOver = (state: State, agent: Agent): string | undefined =>
	whyAsked(state, agent) ?? whyTaken(agent);

const whyTaken = ({id, verdict, outcome}: Agent): string | undefined =>
	verdict.kind === 'accepted' || outcome?.by === 'person'
		? `You took the work of ${id} as it is.`
		: undefined;

/** What it waits for is told it together with the message; a permission is for the turn that would be cut short. */
const whyNotNow = (state: State, agent: Agent): string | undefined => {
	const item = blockingItems(state, agent).find(({kind}) => kind !== 'permission');
	const [awaited] = agent.awaits ?? [];
	if (item === undefined && awaited !== undefined) {
		return `${agent.id} waits for the work of ${awaited.agent}; without "now" the message goes with that.`;
	}

	return (
		item &&
		`${agent.id} waits for ${item.id}, and goes on once that is decided; without "now" the message goes with it.`
	);
};

const whyNotRestart = (
	state: State,
	agent: Agent,
	{from, as, item}: Extract<AgentOrder, {verb: 'restart'}>,
): string | undefined => {
	const {id, snapshots} = agent;
	if (item !== undefined && itemOf(state, item) === undefined) {
		return `${item} waits no more; ${id} goes on as was decided there.`;
	}

	if (from !== null && !snapshots.some(({number}) => number === from)) {
		return `${id} has no snapshot ${from}${snapshots.length === 0 ? '' : `; the last one is ${snapshots.at(-1)?.number}`}.`;
	}

	if (from !== null && agent.visits !== undefined) {
		return `Somebody is in the worktree of ${id}; it can be set back once they have left.`;
	}

	const isAsked = askingItem(state, agent)?.kind === 'failure';
	if (isAsked) {
		return undefined;
	}

	const over = whyOver(state, agent);
	if (over !== undefined) {
		return over;
	}

	switch (agent.state) {
		case 'SPAWNING':
			return `${id} is just being started; it can start over once it runs.`;
		case 'COMPLETE':
		case 'FAILED':
			return `${id} is about to be started again.`;
		case 'PENDING':
			return as === undefined ? `${id} has not begun yet.` : undefined;
		case 'RUNNING':
		case 'CHECKPOINT':
		case 'MERGED':
		case 'ABORTED':
			return undefined;
	}
};

/** Whoever enters its worktree finds it paused, or pauses it. */
const whyNotPause = (
	{id, state, held, outcome}: Agent,
	{visit}: Extract<AgentOrder, {verb: 'pause'}>,
): string | undefined => {
	if (held !== undefined) {
		return visit === undefined ? `${id} is paused already.` : undefined;
	}

	if (state === 'SPAWNING') {
		return `${id} is just being started; it can be paused once it runs, or stopped now.`;
	}

	if (state === 'COMPLETE' || state === 'FAILED') {
		return `${id} is about to be started again; it can be paused once it runs.`;
	}

	return outcome === undefined ? undefined : `${id} has said that it is at its end.`;
};

const whyNotCheck = (state: State, agent: Agent): string | undefined => {
	if ((state.session?.plan.verify ?? []).length === 0) {
		return 'The plan has no verify command, so there is nothing to run.';
	}

	if (lastSnapshot(agent) === undefined) {
		return `There is no snapshot of the work of ${agent.id} yet.`;
	}

	return agent.toCheck === undefined ? undefined : 'Its checks are being run already.';
};

const whyAsked = (state: State, agent: Agent): string | undefined => {
	const item = askingItem(state, agent);
	return (
		item &&
		`${agent.id} has ${item.kind === 'review' ? 'finished' : 'failed'}; ${item.id} asks what becomes of its work.`
	);
};
