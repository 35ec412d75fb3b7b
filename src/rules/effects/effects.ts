import {type Awake, awakeLater, type Deadline} from '../../events/deadline.ts';
import type {Body, BodyOf} from '../../events/event.ts';
import {loadKinds} from '../../events/load.ts';
import type {Permit, Reply} from '../../events/reply.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isAnswered, isAwaiting} from '../../state/agent/awaiting.ts';
import {listeningDeadline} from '../../state/agent/listening.ts';
import {nearShare} from '../../state/agent/spending.ts';
import {isHeldUp} from '../../state/items.ts';
import {limitOf} from '../../state/login-limits.ts';
import {nextToTurn} from '../../state/merge/publication.ts';
import {
	askedReason,
	isAsking,
	isGivenUp,
	isLive,
	itemsOf,
	takesReplies,
} from '../../state/select.ts';
import {attemptOf, hasPassed, type State} from '../../state/state.ts';
import {affordable, pauses} from '../disk.ts';
import {commandEffects, type Effect, keyed, type Owed, timerOf} from './effect.ts';
import {checkEffects, clearings, isClearingDue, mergeEffects, mergeEvents} from './merging.ts';
import {modelTimers} from './model-retry.ts';
import {dueMoves} from './moves.ts';
import {policyDecisions} from './policy.ts';
import {isAnew, promptOf} from './prompts.ts';
import {exhausted, isStill, retryOf} from './retries.ts';
import {awaitedReplies, freeSlots, isAnsweredInTurn, returning} from './slots.ts';

/**
Returns the events, effects and timers that are owed in a state.

It reads the state and not the last event, so a restart is the normal path: replay the journal, ask what is owed. While events are owed, no effect is: the events may change the effects.
*/
export const owed = (state: State): Owed => {
	if (!state.session || state.session.ended) {
		return nothing;
	}

	const events = dueEvents(state);
	return events.length > 0
		? {...nothing, events}
		: withRetries(state, affordable(state, wanted(state)));
};

const nothing: Owed = {events: [], effects: [], timers: []};

const dueEvents = (state: State): readonly Body[] => {
	const moves = [...pauses(state), ...dueMoves(state)];
	if (moves.length > 0) {
		return moves;
	}

	const others = [...policyDecisions(state), ...mergeEvents(state)];
	return others.length > 0 ? others : dueEnd(state);
};

const wanted = (state: State): readonly Effect[] => [
	...state.agents.flatMap(agent => [
		...workspaces(state, agent),
		...agent.wanted.map(reason => keyed({do: 'snapshot', agent: agent.id, reason})),
	]),
	...turnEffects(state),
	...commandEffects(state),
	...mergeEffects(state),
	...checkEffects(state),
	...clearings(state),
];

const workspaces = (state: State, agent: Agent): readonly Effect[] => {
	const {id, rework, restore, granted} = agent;
	// A person who works in the worktree must not see files change.
	if (agent.verdict.kind === 'cancelled' || !isStill(state, agent) || agent.visits !== undefined) {
		return [];
	}

	if (rework !== undefined) {
		return [{...keyed({do: 'rework', agent: id}), onto: rework}];
	}

	if (agent.workspace.phase === 'wanted') {
		return agent.state === 'SPAWNING' ? [keyed({do: 'prepare', agent: id})] : [];
	}

	if (restore !== undefined) {
		return [keyed({do: 'restore', agent: id, number: restore})];
	}

	return granted === undefined
		? []
		: [{...keyed({do: 'bring-back', agent: id, since: granted.since}), paths: granted.paths}];
};

/** Delays effects that failed before until their next try, and drops those that failed for good. */
const withRetries = (state: State, effects: readonly Effect[]): Owed => {
	const retries = effects.map(effect => ({effect, retry: retryOf(state, effect.key)}));
	return {
		events: [],
		effects: retries.filter(({retry}) => retry.kind === 'now').map(({effect}) => effect),
		timers: [
			...turnTimers(state),
			...modelTimers(state),
			...retries.flatMap(({retry}) => (retry.kind === 'at' ? [timerOf(retry)] : [])),
		],
	};
};

/** Returns the end of the session if nothing is left to do. */
const dueEnd = (state: State): readonly BodyOf<'session.ended'>[] => {
	const {session, agents, merge} = state;
	const over = agents.every(
		agent => (agent.state === 'MERGED' || agent.state === 'ABORTED') && !isLive(agent),
	);
	if (!session || !over || merge.phase === 'intended' || isClearingDue(state)) {
		return [];
	}

	const merged = agents.filter(({state}) => state === 'MERGED').length;
	if (session.stopping !== undefined) {
		return [ended(session.stopping, 'a person ended it')];
	}

	return [
		merged > 0
			? ended('COMPLETE', mergedText(state, merged))
			: ended('ABORTED', 'no work was left to merge'),
	];
};

const mergedText = (state: State, merged: number): string => {
	const all = state.agents.filter(({arbitrates}) => arbitrates === undefined).length;
	const text = `the work of ${merged} of ${all} agents was merged`;
	return nextToTurn(state) === undefined
		? `${text}, but there was nothing to merge into ${state.session?.target}`
		: text;
};

const ended = (status: 'COMPLETE' | 'ABORTED', why: string): BodyOf<'session.ended'> => ({
	kind: 'session.ended',
	status,
	why,
});

/** Time within which a text agent may end its turn after its last word, in milliseconds. */
const graceMs = 10_000;

/** Returns the turns to start and to end, and the replies to write into live ones. */
const turnEffects = (state: State): readonly Effect[] => {
	const spawning = state.agents.filter(
		(agent, position) =>
			agent.state === 'SPAWNING' &&
			!(isFirst(agent) && state.agents.slice(0, position).some(one => isPreparing(state, one))),
	);
	const placed = returning(state).slice(0, Math.max(0, freeSlots(state)));
	const working = state.agents.filter(agent => !isAnsweredInTurn(state, agent));
	return [
		...[...spawning, ...placed].flatMap(agent => starts(state, agent)),
		...[...placed, ...working].flatMap(agent => replies(state, agent)),
		...state.agents.flatMap(agent => endings(state, agent)),
	];
};

const isFirst = ({turn}: Agent): boolean => turn.number === 0;

/** First starts follow the plan's order: an agent whose worktree is ready early waits for those before it, unless theirs fails. */
const isPreparing = (state: State, agent: Agent): boolean =>
	agent.state === 'SPAWNING' &&
	isFirst(agent) &&
	agent.workspace.phase === 'wanted' &&
	!isGivenUp(agent) &&
	attemptOf(state, {do: 'prepare', agent: agent.id}) === undefined;

/** Returns an agent's deadlines: for its start, and for its turn the grace after its last word and the time limit. */
const turnTimers = (state: State): Owed['timers'] =>
	state.agents.flatMap(agent => {
		if (agent.turn.phase !== 'live') {
			// A person already knows of a full disk or a limit, which delays starts, and is not asked about an agent that is given up.
			const isDue =
				agent.state === 'SPAWNING' &&
				state.disk?.level !== 'full' &&
				limitOf(state, agent.id) === undefined &&
				!isGivenUp(agent);
			return isDue ? slowStart(state, agent) : [];
		}

		if (agent.turn.pausedAt !== undefined) {
			return [];
		}

		const grace = graceOf(state, agent);
		return [
			...limitTimers(agent, agent.turn),
			...(grace === undefined ? [] : [grace]),
			...agent.listening.map(call => ({
				at: call.until,
				deadline: listeningDeadline(agent.id, call),
			})),
		]
			.filter(({deadline}) => !hasPassed(state, deadline))
			.map(timerOf);
	});

type Due = {readonly at: Awake; readonly deadline: Deadline};

/** Time within which an agent must start before a person is asked about it, in milliseconds. */
const startMs = 60_000;

/** Times the start of an agent; a person who gives it more time is asked again after that time. */
const slowStart = (state: State, agent: Agent): Owed['timers'] => {
	const {id, since} = agent;
	const asked = state.passed.filter(
		deadline => deadline.of === 'start' && deadline.agent === id && deadline.since === since,
	).length;
	const at = awakeLater(agent.extendedAt ?? since, startMs);
	return itemsOf(state, id).some(({kind}) => kind === 'limit')
		? []
		: [timerOf({at, deadline: {of: 'start', agent: id, since, asked}})];
};

/** Time within which an agent must report its state once its time or tokens are used up, in milliseconds. */
const closingMs = 60_000;

/** Returns the timers of an agent's time limit, in each turn anew: time stays used up until a person extends it. */
const limitTimers = (
	{id, timeoutMs, workedMs, closing}: Agent,
	{number: turn, countedFrom}: LiveTurn,
): readonly Due[] => {
	if (closing !== undefined) {
		const {since} = closing;
		const deadline: Deadline = {of: 'closing', agent: id, turn, since};
		return [{at: awakeLater(latest([since, countedFrom]), closingMs), deadline}];
	}

	return [
		{
			at: awakeLater(countedFrom, Math.floor(nearShare * timeoutMs) - workedMs),
			deadline: {of: 'near-limit', agent: id, timeoutMs, turn},
		},
		{
			at: awakeLater(countedFrom, timeoutMs - workedMs),
			deadline: {of: 'limit', agent: id, timeoutMs, turn},
		},
	];
};

type LiveTurn = Extract<Agent['turn'], {phase: 'live'}>;

/**
Returns when the supervisor ends a turn that has finished.

An agent that takes replies on its open input may wait as long as a quick answer to its question may take; then it is parked like any other. An ACP agent reports the end of its turn itself, so it gets the same time to finish what it is doing.
*/
const graceOf = (state: State, agent: Agent): Due | undefined => {
	if (agent.turn.phase !== 'live' || agent.spokeAt === undefined) {
		return undefined;
	}

	return {
		at: patienceEnd(state, agent, agent.spokeAt),
		deadline: {
			of: 'grace',
			agent: agent.id,
			turn: agent.turn.number,
			since: agent.spokeAt,
		},
	};
};

/** Returns the time until which an agent may wait after its last word. */
const patienceEnd = (state: State, agent: Agent, spokeAt: Awake): Awake => {
	const held = agent.listening.map(({until}) => until);
	const last = latest([spokeAt, ...held]);
	if (agent.outcome !== undefined || !(isAsking(agent) || takesReplies(agent))) {
		return awakeLater(last, graceMs);
	}

	const least = awakeLater(last, isAsking(agent) ? graceMs : 0);
	const asked = itemsOf(state, agent.id).flatMap(item =>
		item.kind === 'question' && item.holds ? [item] : [],
	);
	const waits = asked.map(({deadline}) => deadline);
	// Other items get the time of an ordinary question.
	const quickMs = state.session?.settings.quickMs ?? 0;
	return latest([least, ...(waits.length > 0 ? waits : [awakeLater(last, quickMs)])]);
};

/** ISO strings of one form sort by time. */
const latest = (times: readonly [Awake, ...Awake[]]): Awake =>
	times.reduce((last, time) => (time > last ? time : last));

const starts = (state: State, agent: Agent): readonly Effect[] => {
	const prompt = promptOf(state, agent);
	return prompt === undefined
		? []
		: [{...keyed({do: 'start', agent: agent.id, turn: agent.turn.number + 1}), prompt}];
};

const replies = (state: State, agent: Agent): readonly Effect[] => {
	const {id, turn} = agent;
	if (turn.phase !== 'live' || turn.pausedAt !== undefined || isEnding(state, agent)) {
		return [];
	}

	const items = [...readyPermits(agent), ...readyReplies(state, agent)].map(({item}) => item);
	// Each message is sent separately: it may have to wait until the agent has used its tool.
	return [items, ...messagesInTurn(state, agent).map(({item}) => [item])]
		.filter(({length}) => length > 0)
		.map(items => ({...keyed({do: 'reply', agent: id, items}), turn: turn.number}));
};

/** Returns the messages to write into the turn; an agent that has reported its result gets them in its next turn, if any, since they would only undo its report. */
const messagesInTurn = (state: State, agent: Agent): readonly Reply[] =>
	agent.turn.phase === 'live' &&
	agent.turn.takesWords === true &&
	agent.spokeAt === undefined &&
	agent.outcome === undefined &&
	!isHeldUp(state, agent)
		? agent.replies.filter(({heading, command}) => heading === 'MESSAGE' && !command)
		: [];

const readyReplies = (state: State, agent: Agent): readonly Reply[] =>
	takesReplies(agent) && agent.outcome === undefined && !isHeldUp(state, agent)
		? agent.replies.filter(({file}) => file === undefined)
		: awaitedReplies(state, agent);

/** Returns the permits to give: only after the work before them is pinned. */
const readyPermits = ({permits, wanted}: Agent): readonly Permit[] =>
	permits.filter(({request}) => !wanted.includes(askedReason(request)));

const endings = (state: State, agent: Agent): readonly Effect[] => {
	if (agent.turn.phase !== 'live' || !isEnding(state, agent)) {
		return [];
	}

	const ending = keyed({do: 'end-turn', agent: agent.id, turn: agent.turn.number});
	// An agent that continues later keeps its process if it can.
	return [goesOn(agent) ? {...ending, politely: true} : ending];
};

const goesOn = (agent: Agent): boolean =>
	(isInterrupted(agent) || isAwaiting(agent)) && !isGivenUp(agent) && !isAnew(agent);

/** Returns whether a person holds the agent, or cuts its turn short for a message. */
const isInterrupted = ({held, replies}: Agent): boolean =>
	held !== undefined || replies.some(({cutsShort}) => cutsShort);

const isEnding = (state: State, agent: Agent): boolean => {
	const grace = graceOf(state, agent);
	return (
		agent.verdict.kind === 'cancelled' ||
		agent.state === 'FAILED' ||
		agent.outcome?.by === 'person' ||
		isInterrupted(agent) ||
		isAnswered(state, agent) ||
		itemsOf(state, agent.id).some(
			item =>
				(item.kind === 'limit' && ['work', 'tokens', 'money', ...loadKinds].includes(item.of)) ||
				// The person's command needs the worktree for itself.
				(item.kind === 'blocker' && item.command?.phase === 'running'),
		) ||
		// A reply that can't be written goes into the next turn.
		exhausted(state, 'reply', agent.id) !== undefined ||
		(grace !== undefined && hasPassed(state, grace.deadline))
	);
};
