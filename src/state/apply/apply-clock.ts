import type {Deadline} from '../../events/deadline.ts';
import type {MachineChange} from '../../events/kinds/machine-event.ts';
import type {Agent, Turn} from '../agent/agent.ts';
import type {Item} from '../item.ts';
import type {State} from '../state.ts';

/**
The clock jumped, so what waits on it jumps along: each wait is as long as it was.

Only what a wait is counted from moves, and its name if that holds the time. What happened stays when it did.
*/
export const clockChanged = (state: State, {byMs}: MachineChange<'clock'>): State => {
	const move = (at: string): string => moved(at, byMs);
	return {
		...state,
		agents: state.agents.map(agent => movedAgent(agent, move)),
		items: state.items.map(item => movedItem(item, move)),
		attempts: state.attempts.map(attempt => ({...attempt, at: move(attempt.at)})),
		disk: state.disk && {...state.disk, since: move(state.disk.since)},
		passed: state.passed.map(deadline => movedDeadline(deadline, move)),
	};
};

type Move = (at: string) => string;

const movedAgent = (agent: Agent, move: Move): Agent => ({
	...agent,
	since: move(agent.since),
	turn: movedTurn(agent.turn, move),
	listening: agent.listening.map(call => ({...call, until: move(call.until)})),
	...(agent.extendedAt === undefined ? {} : {extendedAt: move(agent.extendedAt)}),
	...(agent.troubled === undefined
		? {}
		: {troubled: {...agent.troubled, at: move(agent.troubled.at)}}),
	...(agent.closing === undefined
		? {}
		: {closing: {...agent.closing, since: move(agent.closing.since)}}),
	...(agent.spokeAt === undefined ? {} : {spokeAt: move(agent.spokeAt)}),
});

const movedTurn = (turn: Turn, move: Move): Turn =>
	turn.phase === 'live'
		? {
				...turn,
				startedAt: move(turn.startedAt),
				...(turn.pausedAt === undefined ? {} : {pausedAt: move(turn.pausedAt)}),
			}
		: turn;

const movedItem = (item: Item, move: Move): Item =>
	item.kind === 'question'
		? {
				...item,
				deadline: move(item.deadline),
				...(item.pausedAt === undefined ? {} : {pausedAt: move(item.pausedAt)}),
			}
		: item;

const movedDeadline = (deadline: Deadline, move: Move): Deadline =>
	'since' in deadline ? {...deadline, since: move(deadline.since)} : deadline;

/** Furthest time from 1970 that there is, in milliseconds. */
const endOfTimeMs = 8.64e15;

/** What is no time, and what would be none any more, stays. */
const moved = (at: string, byMs: number): string => {
	const to = Date.parse(at) + byMs;
	return Math.abs(to) <= endOfTimeMs ? new Date(to).toISOString() : at;
};
