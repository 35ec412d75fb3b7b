import {type Awake, awakeFor, awakeLater} from '../../events/awake.ts';
import type {EventOf} from '../../events/event.ts';
import {defined} from '../../lib/defined.ts';
import {omit} from '../../lib/omit.ts';
import type {Agent, Turn} from '../agent/agent.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';

export const diskChanged = (state: State, event: EventOf<'machine.disk'>): State => {
	const {level, free, total, folder} = event;
	const {disk} = state;
	return {
		...state,
		disk: level === 'enough' ? null : {level, free, total, folder, since: state.awake},
		agents:
			disk?.level === 'full' && level !== 'full'
				? state.agents.map(agent => thawed(agent, disk.since, state.awake))
				: state.agents,
	};
};

/** The time that its `setup` and its start stood still is none that they have taken. */
const thawed = (agent: Agent, frozenAt: Awake, at: Awake): Agent => {
	if (agent.state !== 'SPAWNING') {
		return agent;
	}

	const from = agent.extendedAt ?? agent.since;
	const stoodMs = Math.min(awakeFor(frozenAt, at), awakeFor(from, at));
	return {...agent, extendedAt: awakeLater(from, Math.max(0, stoodMs))};
};

/** What is left of an agent replaces what was left of it before. */
export const survivorsChanged = (state: State, event: EventOf<'machine.survivors'>): State => ({
	...state,
	survivors: [
		...state.survivors.filter(({agent}) => agent !== event.agent),
		...event.processes.map(left => ({...left, agent: event.agent})),
	],
});

export const turnChanged = (state: State, event: EventOf<'turn.changed'>): State => {
	const turn = agentOf(state, event.agent)?.turn;
	if (turn?.phase !== 'live' || turn.number !== event.turn) {
		return state;
	}

	return withAgent(state, event.agent, agent => ({
		...agent,
		turn: changedTurn(turn, event, state.awake),
	}));
};

const changedTurn = (turn: LiveTurn, event: EventOf<'turn.changed'>, at: Awake): LiveTurn => {
	switch (event.to) {
		case 'paused':
			return paused(turn, at);
		case 'going':
			return going(turn, at);
		case 'silent': {
			const {since, during} = event;
			return {...turn, silent: {since, ...defined({during})}};
		}

		case 'heard':
			return omit(turn, 'silent');
	}
};

type LiveTurn = Extract<Turn, {phase: 'live'}>;

const paused = (turn: LiveTurn, at: Awake): LiveTurn => ({
	...turn,
	pausedAt: turn.pausedAt ?? at,
});

/** The time that it stood still is none that it has worked. */
const going = ({pausedAt, ...turn}: LiveTurn, at: Awake): LiveTurn =>
	pausedAt === undefined
		? turn
		: {...turn, countedFrom: awakeLater(turn.countedFrom, awakeFor(pausedAt, at))};
