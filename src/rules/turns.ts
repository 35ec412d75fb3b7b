import type {PromptKind} from '../events/event.ts';
import {later} from '../lib/time.ts';
import type {Agent} from '../state/agent.ts';
import {holdsOf, isAtRest, isLive, itemsOf, takesReplies} from '../state/select.ts';
import type {State} from '../state/state.ts';
import type {Effect, Owed} from './effect.ts';
import {isSentBack} from './moves.ts';
import {freePlaces} from './places.ts';

/** How long a text agent may take to end its turn by itself once it has said its last word. */
const graceMs = 10_000;

/** Returns the turns to start, those to end and the replies to write into live ones. */
export const turnEffects = (state: State): readonly Effect[] => [
	...starts(state),
	...state.agents.flatMap(agent => replies(state, agent)),
	...state.agents.flatMap(agent => endings(state, agent)),
];

/** A turn's deadlines: the grace after its last word, and the agent's time limit. */
export const turnTimers = (state: State): Owed['timers'] =>
	state.agents.flatMap(agent => {
		if (agent.turn.phase !== 'live') {
			return [];
		}

		const limit = later(agent.turn.startedAt, agent.timeoutMs - agent.workedMs);
		const timers = [{at: limit, deadline: limitOf(agent)}];
		const grace = graceOf(state, agent);
		return [...timers, ...(grace === undefined ? [] : [grace])]
			.filter(({deadline}) => !state.passed.includes(deadline))
			.map(({at, deadline}) => ({at, event: {kind: 'deadline.passed' as const, deadline}}));
	});

const limitOf = (agent: Agent): string => `limit:${agent.id}:${agent.timeoutMs}`;

/**
When a turn that has nothing more to say is ended from outside.

An agent that takes replies on its open input is left waiting for as long as a person may answer quickly; after that it is parked like any other.
*/
const graceOf = (state: State, agent: Agent): {at: string; deadline: string} | undefined => {
	if (agent.turn.phase !== 'live' || agent.spokeAt === undefined) {
		return undefined;
	}

	const waits = takesReplies(agent) && agent.outcome === undefined;
	const waitMs = waits ? (state.session?.settings.quickMs ?? 0) : graceMs;
	return {
		at: later(agent.spokeAt, waitMs),
		deadline: `grace:${agent.id}:${agent.turn.number}:${agent.spokeAt}`,
	};
};

const starts = (state: State): readonly Effect[] => {
	const ready = state.agents
		.map(agent => ({agent, prompt: promptOf(state, agent)}))
		.filter((entry): entry is {agent: Agent; prompt: PromptKind} => entry.prompt !== undefined);
	const spawning = ready.filter(({agent}) => agent.state === 'SPAWNING');
	// Those that waited go ahead of new ones, the longest wait first.
	const waiting = ready
		.filter(({agent}) => agent.state !== 'SPAWNING')
		.sort((one, other) => (one.agent.since < other.agent.since ? -1 : 1))
		.slice(0, Math.max(0, freePlaces(state)));
	return [...spawning, ...waiting].map(({agent, prompt}) => {
		const turn = agent.turn.phase === 'none' ? nextTurn(agent) : agent.turn.number + 1;
		return {key: `start:${agent.id}:${turn}`, do: 'start', agent: agent.id, turn, prompt};
	});
};

/** Turns are numbered through an agent's life; their snapshots tell how many there were. */
const nextTurn = (agent: Agent): number =>
	1 +
	Math.max(
		0,
		...agent.snapshots
			.filter(({reason}) => reason.startsWith('exit:'))
			.map(({reason}) => Number(reason.slice('exit:'.length))),
	);

const promptOf = (state: State, agent: Agent): PromptKind | undefined => {
	if (
		isLive(agent) ||
		!isAtRest(agent) ||
		agent.verdict.kind === 'doomed' ||
		agent.workspace.phase === 'wanted' ||
		agent.rework !== undefined ||
		agent.restore !== undefined
	) {
		return undefined;
	}

	switch (agent.state) {
		case 'SPAWNING':
			return agent.snapshots.length === 0 ? 'launch' : 'resume';
		case 'RUNNING':
			return agent.turn.phase === 'ended' && isUnfinished(state, agent) ? 'reminder' : undefined;
		case 'CHECKPOINT':
			return canResume(state, agent) ? 'resume' : undefined;
		case 'COMPLETE':
			return isSentBack(agent) ? 'resume' : undefined;
		default:
			return undefined;
	}
};

/** It ended its turn well, but without a word on how its subtask stands. */
const isUnfinished = (state: State, agent: Agent): boolean =>
	agent.turn.phase === 'ended' &&
	agent.turn.end.by !== 'lost' &&
	(agent.turn.end.by !== 'exit' || agent.turn.end.code === 0) &&
	agent.turn.end.by !== 'signal' &&
	agent.outcome === undefined &&
	!agent.reminded &&
	itemsOf(state, agent.id).length === 0 &&
	agent.replies.length === 0;

/** Nothing holds it, and there is something to tell it: a reply, or that its turn was lost. */
const canResume = (state: State, agent: Agent): boolean =>
	holdsOf(state, agent).length === 0 &&
	agent.outcome?.by !== 'person' &&
	(agent.replies.length > 0 || itemsOf(state, agent.id).length === 0);

const replies = (state: State, agent: Agent): readonly Effect[] => {
	const items = agent.replies.map(({item}) => item);
	return agent.turn.phase === 'live' &&
		takesReplies(agent) &&
		items.length > 0 &&
		holdsOf(state, agent).length === 0 &&
		!isEnding(state, agent)
		? [
				{
					key: `reply:${agent.id}:${items.join(',')}`,
					do: 'reply',
					agent: agent.id,
					turn: agent.turn.number,
					items,
				},
			]
		: [];
};

const endings = (state: State, agent: Agent): readonly Effect[] =>
	agent.turn.phase === 'live' && isEnding(state, agent)
		? [
				{
					key: `end-turn:${agent.id}:${agent.turn.number}`,
					do: 'end-turn',
					agent: agent.id,
					turn: agent.turn.number,
				},
			]
		: [];

const isEnding = (state: State, agent: Agent): boolean => {
	const grace = graceOf(state, agent);
	return (
		agent.verdict.kind === 'doomed' ||
		agent.state === 'FAILED' ||
		agent.outcome?.by === 'person' ||
		itemsOf(state, agent.id).some(({kind}) => kind === 'limit') ||
		(grace !== undefined && state.passed.includes(grace.deadline))
	);
};
