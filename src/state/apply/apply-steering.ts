import type {AgentOrder} from '../../events/agent-order.ts';
import type {EventOf} from '../../events/event.ts';
import type {NamedProgram, Subtask} from '../../events/plan.ts';
import type {Reply, ReplyHeading} from '../../events/reply.ts';
import {withoutStop} from '../../lib/text/words.ts';
import {defined, omit} from '../../lib/values.ts';
import type {Agent} from '../agent/agent.ts';
import {checkWanted} from '../agent/compared.ts';
import {granted} from '../granted.ts';
import {agentOfItem} from '../item.ts';
import {letOutOfLimits, withoutLimitsOf} from '../login-limits.ts';
import {withReply} from '../reply.ts';
import {agentOf, isLive, takesReplies} from '../select.ts';
import {aborted, type State, withAgent, withoutItems} from '../state.ts';
import {released, withoutItsMerge} from './apply-agent.ts';
import {spokenTo} from './apply-limits.ts';

type Steered = EventOf<'user.steered'>;

/** Applies a person's order to one agent. */
export const steered = (before: State, {agent: id, order}: Steered): State => {
	const state = spokenTo(before, id);
	switch (order.verb) {
		case 'message':
			return messaged(state, id, order);
		case 'pause':
			return withAgent(state, id, agent => held(agent, state.at, order.visit));
		case 'resume':
			return order.visit === undefined
				? letGoOn(state, id, order.text ?? '')
				: left(state, id, order.visit, order.text ?? '');
		case 'restart':
			return restarted(state, id, order);
		case 'switch':
			return withAgent(state, id, agent => ({...agent, subtask: switched(agent.subtask, order)}));
		case 'grant':
			return granted(state, id, order.paths);
		case 'check':
			return checkWanted(state, id);
		case 'stop':
			return aborted(state, id, 'a person ended it');
	}
};

const switched = (subtask: Subtask, order: Extract<AgentOrder, {verb: 'switch'}>): Subtask =>
	order.what === 'mode'
		? {...subtask, mode: order.to}
		: {...subtask, agent: {...subtask.agent, model: order.to}};

/** Queues a message; an agent that reads stdin gets it within its turn, without an interruption. */
const messaged = (
	state: State,
	id: string,
	{text, now, command}: Extract<AgentOrder, {verb: 'message'}>,
): State => {
	const agent = agentOf(state, id);
	const cutsShort = now && agent !== undefined && isLive(agent) && !takesReplies(agent);
	return told(state, id, 'MESSAGE', text, {
		...defined({command}),
		...(cutsShort ? {cutsShort} : {}),
	});
};

const held = (agent: Agent, at: string, visit: string | undefined): Agent => ({
	...agent,
	held: agent.held ?? at,
	...(visit === undefined
		? {}
		: {
				visits: {
					ids: [...(agent.visits?.ids ?? []), visit],
					staysHeld: agent.visits?.staysHeld ?? agent.held !== undefined,
				},
			}),
});

/** Ends a visit. After the last one the agent continues, unless a person paused it before the first visit, or resumed it since. */
const left = (state: State, id: string, visit: string, text: string): State => {
	const {ids = [], staysHeld = true} = agentOf(state, id)?.visits ?? {};
	const others = ids.filter(other => other !== visit);
	if (ids.includes(visit) && others.length === 0 && !staysHeld) {
		return letGoOn(state, id, text);
	}

	const without = withAgent(state, id, agent =>
		others.length === 0 ? omit(agent, 'visits') : {...agent, visits: {ids: others, staysHeld}},
	);
	return text === '' ? without : told(without, id, 'MESSAGE', text);
};

/** Resumes an agent. It is told so unless it had not started or only waited for its model. */
const letGoOn = (state: State, id: string, text: string): State => {
	const freed = withAgent(withoutLimitsOf(state, id), id, agent =>
		hurried(withoutOld(omit(agent, 'held', 'visits'))),
	);
	const before = agentOf(state, id);
	const wasAtWork = before?.state !== 'PENDING' && before?.held !== undefined;
	return !wasAtWork && text === '' ? freed : told(freed, id, 'LET GO ON', text);
};

type Restart = Extract<AgentOrder, {verb: 'restart'}>;

/** Starts an agent over: open questions of the old conversation are closed, undelivered replies stay. */
const restarted = (state: State, id: string, order: Restart): State => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return state;
	}

	const {as, from} = order;
	const changed = withAgent(
		withoutItems(withoutItsMerge(letOutOfLimits(state, id), id), item => agentOfItem(item) === id),
		id,
		one => ({
			...hurried(withoutOld(inNoConversation(as === undefined ? one : withoutItsProgram(one))), 0),
			subtask: as === undefined ? one.subtask : asProgram(one.subtask, as),
			...(one.state === 'FAILED' ? {verdict: {kind: 'retried', from}} : {}),
			...(one.state === 'FAILED' || from === null ? {} : {restore: from}),
		}),
	);
	return agent.state === 'PENDING'
		? changed
		: told(changed, id, 'STARTED ANEW', whatHappened(agent, order), {cutsShort: true});
};

const inNoConversation = (agent: Agent): Agent =>
	omit(released(agent), 'conversation', 'conversationSince', 'pause', 'closing');

/** Removes the slash commands of a program that is replaced, including those that wait to be sent. */
const withoutItsProgram = (agent: Agent): Agent => ({
	...omit(agent, 'loginBy', 'commands'),
	replies: agent.replies.filter(({command}) => !command),
});

/** Returns a subtask with another program. The mode is dropped, since the same name may mean in another program that it acts without asking. */
const asProgram = ({mode, ...subtask}: Subtask, as: NamedProgram): Subtask => ({
	...omit(subtask, 'origin'),
	...(mode === undefined || as.profile !== subtask.profile ? {} : {mode}),
	...as,
});

const whatHappened = ({snapshots, state, why}: Agent, {from, as, text}: Restart): string =>
	[
		as === undefined
			? 'the person had you start over, in a new conversation.'
			: 'another agent began this, and the person put you in its place.',
		...(state === 'FAILED' ? [`The attempt before had failed: ${withoutStop(why)}.`] : []),
		from === null
			? 'Your worktree is as it was left.'
			: `Your worktree was set back to snapshot ${from} of ${snapshots.at(-1)?.number ?? from}.`,
		'What was asked before and not answered is withdrawn; ask again if you need it.',
		...(text === undefined ? [] : [`The person says: ${text}`]),
	].join(' ');

/** Retries an agent's model at once; `count` is the number of failures to start from. */
const hurried = ({troubled, ...agent}: Agent, count = troubled?.count ?? 0): Agent =>
	troubled === undefined ? agent : {...agent, troubled: {...troubled, count, hurried: true}};

/** Drops an earlier notice of a pause. */
const withoutOld = (agent: Agent): Agent => ({
	...agent,
	replies: agent.replies.filter(({heading, text}) => heading !== 'LET GO ON' || text !== ''),
});

/** Queues a person's message, which is numbered separately from items. */
const told = (
	state: State,
	id: string,
	heading: ReplyHeading,
	text: string,
	more: Pick<Reply, 'command' | 'cutsShort'> = {},
): State => {
	const count = (state.counts.m ?? 0) + 1;
	return withReply({...state, counts: {...state.counts, m: count}}, id, {
		item: `m-${count}`,
		heading,
		about: '',
		text,
		...more,
	});
};
