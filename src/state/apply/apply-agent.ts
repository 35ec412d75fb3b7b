import {awakeFor} from '../../events/deadline.ts';
import type {AgentState, EventOf, TurnEnd} from '../../events/event.ts';
import {defined, omit} from '../../lib/values.ts';
import {isAccess, withAccessUsed} from '../agent/access.ts';
import {type Agent, mostViolations} from '../agent/agent.ts';
import {withoutWaiting} from '../agent/awaiting.ts';
import {withoutAnswered} from '../agent/listening.ts';
import {respondedBy} from '../agent/updates.ts';
import {agentOfItem, type Item} from '../item.ts';
import {blockingItems} from '../items.ts';
import {limitOutlived, troubledAfter, withLimitMet} from '../login-limits.ts';
import {voidMerge, withOutdated} from '../merge/publication.ts';
import {keepForRetry, whyUndelivered} from '../reply.ts';
import {agentOf, askedReason, exitReason, isAsking, isGivenUp, takesReplies} from '../select.ts';
import {type State, withAgent, withItem, withoutAttempts, withoutItems} from '../state.ts';
import {filesCounted, limitsAtTurnEnd, spinningMet} from './apply-limits.ts';

/** Moves an agent to another state; an illegal move is ignored. */
export const agentMoved = (state: State, event: EventOf<'agent.moved'>): State => {
	const agent = agentOf(state, event.agent);
	if (!agent || agent.state !== event.from || !legalMoves[event.from].includes(event.to)) {
		return state;
	}

	const moved = withAgent(state, agent.id, () => ({
		...agent,
		state: event.to,
		why: event.why,
		since: state.awake,
	}));
	return afterMove(moved, event);
};

const withoutSlowStart = (state: State, id: string): State =>
	withoutItems(state, item => item.kind === 'limit' && item.of === 'start' && item.agent === id);

const afterMove = (state: State, event: EventOf<'agent.moved'>): State => {
	switch (event.to) {
		case 'SPAWNING':
			return withoutAttempts(withAgent(state, event.agent, freshStart), event.agent);
		case 'RUNNING':
			return withAgent(
				withOutdated(
					withoutItsMerge(withoutSlowStart(state, event.agent), event.agent),
					event.agent,
				),
				event.agent,
				agent => running(agent, event.at),
			);
		case 'COMPLETE':
			return completed(withAgent(state, event.agent, released), event.agent);
		case 'FAILED':
			return failed(state, event);
		case 'ABORTED':
			return withoutItems(
				withoutItsMerge(state, event.agent),
				item => agentOfItem(item) === event.agent,
			);
		case 'MERGED':
			return withoutItems(state, item => agentOfItem(item) === event.agent);
		case 'PENDING':
		case 'CHECKPOINT':
			return state;
	}
};

/** Voids the merge of an agent's work; an arbiter has none of its own in it. */
export const withoutItsMerge = (state: State, id: string): State =>
	agentOf(state, id)?.arbitrates === undefined ? voidMerge(state, [id]) : state;

/** Clears holds, visits and awaited work of an agent that has ended. */
export const released = (agent: Agent): Agent => omit(agent, 'held', 'visits', 'awaits');

/** Fails an agent. Undelivered feedback is shown to the person and kept for a retry; an arbiter's failure is shown at its conflict. */
const failed = (state: State, {agent: id, why}: EventOf<'agent.moved'>): State => {
	const agent = agentOf(state, id);
	const undelivered = whyUndelivered(agent ?? {replies: []}, why);
	const settled = withoutItems(state, item => agentOfItem(item) === id && !isAccess(item));
	const kept = withAgent(settled, id, one => keepForRetry(released(withoutWaiting(one))));
	return agent?.arbitrates === undefined
		? withItem(kept, {kind: 'failure', agent: id, why: undelivered})
		: kept;
};

/** Drops queued replies when an agent continues without a new turn: none would deliver them. */
const running = (agent: Agent, at: string): Agent => ({
	...omit(agent, 'pause', 'unheard'),
	startedAt: agent.startedAt ?? at,
	verdict: {kind: 'none'},
	replies: agent.turn.phase === 'live' || agent.outcome === undefined ? agent.replies : [],
});

/** Starts an agent, or retries it: the failed try's state is cleared, its work is kept. */
const freshStart = (agent: Agent): Agent => {
	const from = agent.verdict.kind === 'retried' ? agent.verdict.from : null;
	return {
		...omit(
			agent,
			'pause',
			'outcome',
			'report',
			'restore',
			'extendedAt',
			'troubled',
			'closing',
			'loginWays',
		),
		turn: {phase: 'none', number: agent.turn.number},
		reminded: false,
		verdict: {kind: 'none'},
		...deliveredAgain(agent),
		...(from === null ? {} : {restore: from}),
	};
};

/** Completes an agent and opens its review, unless its work is accepted already or it is an arbiter. Items about denied access stay until then: the agent can be started again. */
const completed = (state: State, id: string): State => {
	const agent = agentOf(state, id);
	const isAccepted = agent?.verdict.kind === 'accepted';
	const settled = withoutItems(
		state,
		item =>
			agentOfItem(item) === id && item.kind !== 'delegation' && (isAccepted || !isAccess(item)),
	);
	return isAccepted || agent?.arbitrates !== undefined
		? settled
		: withItem(settled, {kind: 'review', agent: id});
};

/** Records a worktree. A recreated one keeps its earlier base, and a rework that is still due stays due. */
export const workspacePrepared = (state: State, event: EventOf<'workspace.prepared'>): State =>
	withAgent(state, event.agent, agent => {
		const {base, baseline, onto, conflicts, tree, rebuilt} = event;
		return rebuilt === undefined
			? {
					...omit(agent, 'rework'),
					workspace: {phase: 'ready', base, baseline, onto, conflicts, ...defined({tree})},
				}
			: {...agent, rebuilt: rebuilt.snapshot};
	});

export const turnStarted = (state: State, event: EventOf<'turn.started'>): State =>
	withAgent(limitOutlived(state, event.agent), event.agent, agent => ({
		...omit(
			withAccessUsed(agent, event.access ?? 0),
			'spokeAt',
			'pause',
			'outcome',
			'response',
			'report',
			'rebuilt',
			'unread',
		),
		...(agent.conversation === undefined ? {} : {conversationSince: event.at}),
		lastAt: event.at,
		turnsInVain: agent.turnsInVain + 1,
		turn: {
			phase: 'live',
			number: event.turn,
			prompt: event.prompt,
			pid: event.pid,
			startTime: event.startTime,
			startedAt: event.at,
			countedFrom: state.awake,
			...defined({takesWords: event.takesWords}),
		},
		reminded: event.prompt === 'reminder',
		heard: [],
		listening: [],
		...handedOver({...agent, delivered: []}, event.items),
		malformed: [],
	}));

export const replyDelivered = (state: State, event: EventOf<'reply.delivered'>): State =>
	withAgent(state, event.agent, agent => {
		const permits = agent.permits.filter(({item}) => !event.items.includes(item));
		const isAnswered =
			agent.replies.some(({item}) => event.items.includes(item)) &&
			blockingItems(state, agent).length === 0;
		const told = isAnswered ? omit(agent, 'pause', 'spokeAt') : agent;
		const unread = takesReplies(agent) ? {unread: [...(agent.unread ?? []), ...event.items]} : {};
		const handed = {...told, ...handedOver(agent, event.items), ...unread, permits};
		return withoutAnswered(handed, event.items);
	});

export const scopeLeft = (
	state: State,
	{at, agent: id, path, change, stuck}: EventOf<'scope.left'>,
): State =>
	withAgent(state, id, agent => {
		const refused = change === 'refused';
		const {violationCounts} = agent;
		const isListed =
			agent.violations.length >= mostViolations ||
			agent.violations.some(other => other.path === path && other.refused === refused);
		return {
			...agent,
			lastAt: at,
			violations: isListed ? agent.violations : [...agent.violations, {path, refused}],
			violationCounts: {
				reverted: violationCounts.reverted + (refused || stuck !== undefined ? 0 : 1),
				blocked: violationCounts.blocked + (refused ? 1 : 0),
			},
		};
	});

/** Opens a permission request; the work so far is pinned before it is granted. */
export const permissionAsked = (state: State, event: EventOf<'permission.asked'>): State => {
	const {agent: id, request, title, command, paths} = event;
	const agent = agentOf(state, id);
	if (agent?.turn.phase !== 'live' || agent.turn.number !== event.turn || isGivenUp(agent)) {
		return state;
	}

	const pinned = withAgent(state, id, agent => ({
		...agent,
		lastAt: event.at,
		wanted: [...agent.wanted, askedReason(request)],
	}));
	return withItem(pinned, {
		kind: 'permission',
		agent: id,
		request,
		title,
		...defined({command}),
		paths,
	});
};

type Words = Pick<Agent, 'replies' | 'delivered'>;

/** Clears `cutsShort` of delivered replies, so that a second delivery does not cut a turn short. */
const handedOver = ({replies, delivered}: Words, items: readonly string[]): Words => ({
	replies: replies.filter(({item}) => !items.includes(item)),
	delivered: [
		...delivered,
		...replies.filter(({item}) => items.includes(item)).map(reply => omit(reply, 'cutsShort')),
	],
});

/** Queues delivered replies again: an agent that is restarted knows nothing of the lost turn, and must not have to ask twice. */
const deliveredAgain = ({replies, delivered}: Words): Words => ({
	replies: [...delivered, ...replies],
	delivered: [],
});

/** Queues replies again if the agent may not have read them, since it ended without a word. Its input can't be watched: the process that holds the agent's group together has it open, too. */
const unreadAgain = (agent: Agent, end: TurnEnd): Partial<Words> => {
	const {unread = [], outcome, replies, delivered} = agent;
	return end.by !== 'exit' || outcome !== undefined
		? {}
		: {
				replies: [...delivered.filter(({item}) => unread.includes(item)), ...replies],
				delivered: delivered.filter(({item}) => !unread.includes(item)),
			};
};

/** Ends a turn and withdraws its permission requests. */
export const turnEnded = (state: State, event: EventOf<'turn.ended'>): State => {
	const turn = agentOf(state, event.agent)?.turn;
	if (turn?.phase !== 'live' || turn.number !== event.turn) {
		return state;
	}

	const asked = (item: Item): boolean => item.kind === 'permission' && item.agent === event.agent;
	const over = withAgent(withoutItems(state, asked), event.agent, ({troubled, ...agent}) => ({
		...agent,
		...troubledAfter(troubled, event, state.awake),
		permits: [],
		listening: [],
		lastAt: event.at,
		workedMs: agent.workedMs + awakeFor(turn.countedFrom, turn.pausedAt ?? state.awake),
		turn: {
			phase: 'ended',
			number: event.turn,
			prompt: turn.prompt,
			end: event.end,
			...defined({lastError: event.lastError, lastWords: event.lastWords}),
		},
		...(isForgotten(agent, event.end) ? deliveredAgain(agent) : unreadAgain(agent, event.end)),
		...responded(agent, event.end),
		wanted: [...agent.wanted, exitReason(event.turn)],
	}));
	const limited = limitsAtTurnEnd(over, event.agent, turn.countedFrom);
	const met = event.end.by === 'error' ? event.end.trouble : undefined;
	return met === undefined ? limited : withLimitMet(limited, event.agent, met);
};

/** Completes an agent that gave a standard response and whose turn ended normally. */
const responded = (
	{outcome, response}: Agent,
	end: TurnEnd,
): Pick<Agent, 'outcome'> & Partial<Pick<Agent, 'progress'>> => {
	const form = end.by === 'exit' && end.code === 0 ? respondedBy(response) : undefined;
	return outcome !== undefined || form === undefined
		? {}
		: {
				progress: 100,
				outcome: {to: 'COMPLETE', why: `reported completion by ${form}`, by: 'agent'},
			};
};

/** Returns whether the prompt of a turn has to be repeated: its progress is unknown, or the process has forgotten it. */
const isForgotten = (agent: Agent, end: TurnEnd): boolean => {
	const isCutShort =
		end.by === 'stopped' &&
		(agent.held !== undefined || agent.replies.some(({cutsShort}) => cutsShort));
	return (
		agent.outcome === undefined &&
		(end.by === 'lost' ||
			(end.by === 'error' && end.trouble !== undefined) ||
			(isCutShort && !isAsking(agent)))
	);
};

/** Records a snapshot with its own starting point: the worktree may have another one by the time of the merge. */
export const snapshotTaken = (state: State, event: EventOf<'snapshot.taken'>): State => {
	const pinned = filesCounted(withSnapshot(state, event), event.agent);
	const isLast = event.reason === exitReason(agentOf(state, event.agent)?.turn.number ?? 0);
	return isLast ? spinningMet(pinned, event.agent) : pinned;
};

const withSnapshot = (state: State, event: EventOf<'snapshot.taken'>): State =>
	withAgent(state, event.agent, agent => {
		if (agent.workspace.phase === 'wanted') {
			return agent;
		}

		const {checkpoint, ...snapshot} = omit(event, 'kind', 'agent', 'seq');
		const workspace = omit(agent.workspace, 'tree');
		const startingPoint = omit(workspace, 'phase');
		const hasWorked = agent.turn.phase === 'live' && agent.snapshots.at(-1)?.tree !== snapshot.tree;
		return {
			...agent,
			...(hasWorked ? {lastAt: event.at} : {}),
			...(cameToSomething(agent, snapshot.tree) ? {turnsInVain: 0} : {}),
			workspace,
			wanted: agent.wanted.filter(reason => reason !== event.reason),
			snapshots: [...agent.snapshots, {...snapshot, startingPoint}],
			...(checkpoint ? {checkpoints: agent.checkpoints + 1, checkpointAt: event.at} : {}),
		};
	});

/** Returns whether a turn made progress. A lost turn doesn't count, since turns could be lost forever. */
const cameToSomething = ({turn, snapshots, workspace}: Agent, tree: string): boolean => {
	const before = snapshots.at(-1)?.tree ?? (workspace.phase === 'ready' && workspace.baseline);
	return tree !== before && !(turn.phase === 'ended' && turn.end.by === 'lost');
};

/**
Legal moves between the states of an agent; `PROTOCOL, States`.

All other moves are refused; ABORTED has no way out.
*/
export const legalMoves: Readonly<Record<AgentState, readonly AgentState[]>> = {
	PENDING: ['SPAWNING', 'ABORTED'],
	SPAWNING: ['RUNNING', 'FAILED', 'ABORTED'],
	RUNNING: ['CHECKPOINT', 'COMPLETE', 'FAILED', 'ABORTED'],
	CHECKPOINT: ['RUNNING', 'COMPLETE', 'FAILED', 'ABORTED'],
	COMPLETE: ['RUNNING', 'MERGED', 'ABORTED'],
	FAILED: ['SPAWNING', 'MERGED', 'ABORTED'],
	MERGED: ['COMPLETE'],
	ABORTED: [],
};
