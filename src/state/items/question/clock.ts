import {type Awake, awakeFor, awakeLater} from '../../../events/awake.ts';
import {longestHold} from '../../agent/listening.ts';
import type {ItemOf} from '../../item.ts';
import {agentOf} from '../../select.ts';
import {type State, withAgent} from '../../state.ts';
import {withGroup} from './group.ts';

/** What is typed, and kept in the journal, to stop the clock of a question and to let it go on; nothing is decided by it. */
export const clockWords = {paused: 'pause-clock', going: 'resume-clock'} as const;

/** What a person makes of the clock of a question. */
export type ClockChange = keyof typeof clockWords;

type QuestionItem = ItemOf<'question'>;

/** Returns what a word makes of a clock, if it is one for that. */
export const readClockChange = (word: string): ClockChange | undefined =>
	word === clockWords.paused ? 'paused' : word === clockWords.going ? 'going' : undefined;

/** Returns since when the clock that would park the agent of a question is stopped, if it is. */
export const pausedSince = (state: State, item: QuestionItem): Awake | undefined =>
	hasClock(state, item) ? item.pausedAt : undefined;

/** Whether its agent waits in its turn for an answer, and would be parked for want of one. */
const hasClock = (state: State, {agent, holds, escalated}: QuestionItem): boolean =>
	holds && escalated !== true && agentOf(state, agent)?.turn.phase === 'live';

/** The questions of a group have one clock. A call that is held for one of them is held as long as its client bears. */
export const clockPaused = (state: State, item: QuestionItem): State => {
	const most = longestHold(item.asked);
	const paused = withGroup(state, item, one => ({...one, pausedAt: one.pausedAt ?? state.awake}));
	return withAgent(paused, item.agent, agent => ({
		...agent,
		listening: agent.listening.map(call =>
			call.items.includes(item.id) && call.until < most ? {...call, until: most} : call,
		),
	}));
};

/** What was left of the wait when it was stopped is left of it. */
export const clockResumed = (state: State, item: QuestionItem): State =>
	withGroup(state, item, ({pausedAt, ...one}) =>
		pausedAt === undefined
			? one
			: {...one, deadline: awakeLater(one.deadline, awakeFor(pausedAt, state.awake))},
	);
