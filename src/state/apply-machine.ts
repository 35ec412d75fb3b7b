import type {Event} from '../events/event.ts';
import {elapsedMs, later} from '../lib/time.ts';
import {agentOf} from './select.ts';
import {type State, withAgent} from './state.ts';

type EventOf<Kind extends Event['kind']> = Extract<Event, {kind: Kind}>;

export const diskChanged = (state: State, event: EventOf<'disk.changed'>): State => {
	const {level, free, total, folder} = event;
	return {...state, disk: level === 'enough' ? null : {level, free, total, folder}};
};

/** What is left of an agent replaces what was left of it before. */
export const processesSurvived = (state: State, event: EventOf<'processes.survived'>): State => ({
	...state,
	survivors: [
		...state.survivors.filter(({agent}) => agent !== event.agent),
		...event.processes.map(left => ({...left, agent: event.agent})),
	],
});

export const restartFound = (state: State, event: EventOf<'restart.found'>): State => {
	const {lost, cutOff, ended, at} = event;
	return {...state, found: {lost, cutOff, ended, at}};
};

export const turnPaused = (state: State, event: EventOf<'turn.paused'>): State => {
	const turn = liveTurn(state, event);
	return turn === undefined
		? state
		: withAgent(state, event.agent, agent => ({
				...agent,
				turn: {...turn, pausedAt: turn.pausedAt ?? event.at},
			}));
};

/** The time that it stood still is none that it has worked. */
export const turnContinued = (state: State, event: EventOf<'turn.continued'>): State => {
	const turn = liveTurn(state, event);
	if (turn?.pausedAt === undefined) {
		return state;
	}

	const {pausedAt, ...going} = turn;
	const startedAt = later(turn.startedAt, elapsedMs(pausedAt, event.at));
	return withAgent(state, event.agent, agent => ({...agent, turn: {...going, startedAt}}));
};

const liveTurn = (state: State, event: {readonly agent: string; readonly turn: number}) => {
	const turn = agentOf(state, event.agent)?.turn;
	return turn?.phase === 'live' && turn.number === event.turn ? turn : undefined;
};
