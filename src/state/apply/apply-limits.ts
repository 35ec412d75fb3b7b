import type {Awake} from '../../events/deadline.ts';
import type {EventOf} from '../../events/event.ts';
import {loadKinds} from '../../events/load.ts';
import type {Reply} from '../../events/reply.ts';
import {defined, omit} from '../../lib/values.ts';
import {type Agent, lastSnapshot} from '../agent/agent.ts';
import {isSpinning, mostFiles} from '../agent/allowance.ts';
import {allowedLoad} from '../agent/load.ts';
import {budgetStep, measuresOf} from '../agent/spending.ts';
import type {LimitItem} from '../item.ts';
import {isNear} from '../items/limit.ts';
import {blockingItems} from '../items.ts';
import {withReply} from '../reply.ts';
import {agentOf, isAsking, isGivenUp, isLive, itemsOf, takesReplies} from '../select.ts';
import {type State, withAgent, withItem, withoutItems} from '../state.ts';

type Closing = NonNullable<Agent['closing']>;

/** Reacts to a limit of time, tokens or money. An agent that can be told reports its state first; for any other one a person is asked at once. */
export const usedUp = (
	state: State,
	id: string,
	used: Pick<Closing, 'of' | 'shared'> = {of: 'work'},
): State => {
	const agent = agentOf(state, id);
	const left = withoutNear(state, id);
	return agent !== undefined && canBeTold(state, agent)
		? askedToClose(left, agent, used)
		: limitMet(left, {agent: id, ...used});
};

/** Ends the grace turn in which an agent could report its state. */
export const closed = (state: State, id: string): State => {
	const {of = 'work', said, shared} = agentOf(state, id)?.closing ?? {};
	return limitMet(withAgent(state, id, notClosing), {agent: id, of, ...defined({said, shared})});
};

const notClosing = (agent: Agent): Agent => ({
	...omit(agent, 'closing'),
	replies: agent.replies.filter(isNoLimit),
	delivered: agent.delivered.filter(isNoLimit),
});

const isNoLimit = ({heading}: Reply): boolean =>
	heading !== 'TIME LIMIT' && heading !== 'TOKEN LIMIT';

/** Updates limits at the end of a turn: warnings given while it ran are closed, and an agent that has reported its state is paused. */
export const limitsAtTurnEnd = (state: State, id: string, startedAt: Awake): State => {
	const {closing, outcome, replies} = agentOf(state, id) ?? {};
	const left = withoutNear(state, id);
	const wasAsked =
		closing !== undefined && (startedAt > closing.since || replies?.every(isNoLimit) === true);
	return wasAsked && outcome === undefined ? closed(left, id) : left;
};

/** Records an agent's usage of tokens and money. Its final report may exceed the limit. */
export const tokensCounted = (
	state: State,
	{at, agent: id, tokens, money, all}: EventOf<'tokens.counted'>,
): State => {
	const told = withAgent(state, id, agent => ({...agent, tokens, ...defined({money}), lastAt: at}));
	const counted = all === undefined ? told : {...told, shared: {...told.shared, ...all}};
	const agent = agentOf(counted, id);
	if (agent === undefined || agent.outcome !== undefined || agent.closing !== undefined) {
		return counted;
	}

	const [fullest] = measuresOf(counted, agent);
	if (fullest === undefined) {
		return counted;
	}

	const {unit, shared} = fullest;
	const mark = shared ? ({shared} as const) : {};
	switch (budgetStep([fullest])) {
		case 'within':
			return counted;
		case 'near':
			return isLive(agent) ? limitMet(counted, {agent: id, of: `${unit}-near`, ...mark}) : counted;
		case 'over':
			return usedUp(counted, id, {of: unit, ...mark});
	}
};

/** Records the resource usage of an agent's processes. Over a limit it gets no grace: its turn is ended, which frees the resources. */
export const loadCounted = (state: State, event: EventOf<'load.counted'>): State => {
	const {agent: id, memory, processes, cpu, disk, output} = event;
	const load = {memory, processes, ...defined({cpu, disk, output})};
	const counted = withAgent(state, id, agent => ({...agent, load}));
	const agent = agentOf(counted, id);
	return agent === undefined || !isLive(agent) || agent.outcome !== undefined
		? counted
		: loadKinds.reduce((before, of) => {
				const measure = {used: load[of] ?? 0, allowed: allowedLoad(state, agent, of)};
				const step = budgetStep([measure]);
				return step === 'within'
					? before
					: limitMet(before, {agent: id, of: step === 'over' ? of : `${of}-near`});
			}, counted);
};

/** Asks a person about an agent near or over a limit, or with a slow start. Each limit is asked about once, and an agent that is given up is not asked about. */
export const limitMet = (state: State, limit: LimitItem): State => {
	const agent = agentOf(state, limit.agent);
	const isOfAll = limit.shared && isNear(limit);
	const isAsked = (isOfAll ? state.items : itemsOf(state, limit.agent)).some(
		item => item.kind === 'limit' && item.of === limit.of,
	);
	return isAsked || (agent !== undefined && isGivenUp(agent))
		? state
		: withItem(state, {kind: 'limit', ...limit});
};

/** Asks a person about an agent whose turns make no progress, once the last one is pinned. */
export const spinningMet = (state: State, id: string): State =>
	metAtWork(state, {agent: id, of: 'turns'}, agent => isSpinning(state, agent));

/** Asks a person about an agent that has changed too many files; for finished work its review says so. */
export const filesCounted = (state: State, id: string): State =>
	metAtWork(
		state,
		{agent: id, of: 'files'},
		agent => (lastSnapshot(agent)?.files ?? 0) > mostFiles(state, agent),
	);

const metAtWork = (state: State, limit: LimitItem, isMet: (agent: Agent) => boolean): State => {
	const agent = agentOf(state, limit.agent);
	return agent !== undefined &&
		(agent.state === 'RUNNING' || agent.state === 'CHECKPOINT') &&
		agent.outcome === undefined &&
		isMet(agent)
		? limitMet(state, limit)
		: state;
};

/** Resets the count of turns without progress, since a person spoke to the agent, or to all if none is named. */
export const spokenTo = (state: State, id: string | undefined): State => ({
	...state,
	agents: state.agents.map(agent =>
		id === undefined || agent.id === id ? {...agent, turnsInVain: 0} : agent,
	),
});

const withoutNear = (state: State, id: string): State =>
	withoutItems(
		state,
		item =>
			item.kind === 'limit' &&
			item.agent === id &&
			(isNear(item) || (item.of === 'files' && agentOf(state, id)?.outcome !== undefined)),
	);

/** Returns whether an agent can be asked to report its state: not while it waits for a person, nor after it has finished. */
const canBeTold = (state: State, agent: Agent): boolean =>
	isLive(agent) &&
	!isGivenUp(agent) &&
	(isAsking(agent) || takesReplies(agent)) &&
	agent.closing === undefined &&
	agent.spokeAt === undefined &&
	blockingItems(state, agent).length === 0;

/** Asks an agent to report its state: within its turn if it reads stdin, otherwise by cutting the turn short. */
const askedToClose = (state: State, agent: Agent, used: Pick<Closing, 'of' | 'shared'>): State => {
	const count = (state.counts.t ?? 0) + 1;
	const closing: Closing = {...used, since: state.awake};
	return withReply(
		withAgent({...state, counts: {...state.counts, t: count}}, agent.id, agent => ({
			...agent,
			closing,
		})),
		agent.id,
		{
			item: `t-${count}`,
			heading: used.of === 'work' ? 'TIME LIMIT' : 'TOKEN LIMIT',
			about: '',
			text: '',
			...(takesReplies(agent) ? {} : {cutsShort: true}),
		},
	);
};
