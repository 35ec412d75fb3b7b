import {type Awake, awakeFor, awakeLater} from '../../../events/deadline.ts';
import {parseDuration} from '../../../lib/text/duration.ts';
import {defined} from '../../../lib/values.ts';
import type {Question} from '../../../signals/index.ts';
import {longestHold, longestWaitMs} from '../../agent/listening.ts';
import type {ItemOf} from '../../item.ts';
import {agentOf, isAsking, isLive, takesReplies} from '../../select.ts';
import {type State, withAgent} from '../../state.ts';
import {optionsOf, withGroup} from './answer.ts';

/**
How the agent of a question waits for its answer. No time that runs out decides anything; the answer counts in each case.

- `goes-on`: it does not wait
- `left`: it left the question to a person by its name, and ends its turn
- `file`: it looks for the answer in a file, for as long as it chose itself
- `paused`: a person stopped the clock; the client of a call that it is held in may end that all the same
- `until`: it waits in its turn, and is parked then
- `parked`: its turn has ended, or ends because it has asked
*/
export type QuestionWait =
	| {readonly how: 'goes-on' | 'left' | 'file' | 'parked'}
	| {readonly how: 'paused'; readonly since: Awake; readonly callEnds?: Awake}
	| {readonly how: 'until'; readonly at: Awake};

/** Returns how the agent of a question waits now; everything that tells a person so asks this. */
export const waitFor = (state: State, item: ItemOf<'question'>): QuestionWait => {
	const agent = agentOf(state, item.agent);
	if (!item.holds) {
		return {how: 'goes-on'};
	}

	if (item.escalated) {
		return {how: 'left'};
	}

	if (agent === undefined || !isLive(agent)) {
		return {how: 'parked'};
	}

	if (item.file !== undefined) {
		return {how: 'file'};
	}

	const callEnds = agent.listening.find(({items}) => items.includes(item.id))?.until;
	const since = pausedSince(state, item);
	if (since !== undefined) {
		return {how: 'paused', since, ...defined({callEnds})};
	}

	const at = callEnds ?? (isAsking(agent) || takesReplies(agent) ? item.deadline : item.asked);
	return at > item.asked ? {how: 'until', at} : {how: 'parked'};
};

/**
Returns what the agent of a question does until it is answered.

@param when When it is parked or its call ends, such as `until 12:00` or `for 5m`.
*/
export const waitText = (how: QuestionWait['how'], when?: string): string => {
	switch (how) {
		case 'goes-on':
			return 'it goes on without waiting';
		case 'left':
			return 'it left this to you and ended its turn; it goes on with your answer, whenever you give it';
		case 'file':
			return 'it looks for your answer in a file until its own timeout; your answer counts either way';
		case 'paused':
			return when === undefined
				? 'its clock is stopped: it waits for you as long as you like'
				: `its clock is stopped, but its client holds the call only ${when}; then it is paused, and your answer counts`;
		case 'until':
			return `it waits ${when ?? 'for a while'}, then it is paused; your answer counts either way`;
		case 'parked':
			return 'it is paused, and goes on with your answer, whenever you give it';
	}
};

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

/** What the questions of one signal wait for. */
type Asked = {
	/** How long an ordinary question waits, in milliseconds; 0 lets none wait. */
	readonly quickMs: number;
	/** How many questions were asked at once. */
	readonly count: number;
};

/**
Returns how long an agent waits for a quick answer to a question before it lets go, in milliseconds.

What the agent says itself counts. Else the wait is as long as a person takes to answer such a question: of five minutes two for a yes, a no or one of some short options; seven for what is weighed, be it the design of something or several questions at once.
*/
export const quickWaitMs = (question: Question, {quickMs, count}: Asked): number => {
	const saidMs = quickMs === 0 ? 0 : readWait(question.default_wait);
	return Math.min(saidMs ?? (quickMs * partsFor(question, count)) / 5, longestWaitMs);
};

const partsFor = (question: Question, count: number): number => {
	if (count > 1 || isWeighed(question)) {
		return 7;
	}

	return isShort(question) ? 2 : 5;
};

/** A number is meant in seconds; what can't be read is as if it had not been said. */
const readWait = (said: string | number | undefined): number | undefined => {
	const text = String(said ?? '').trim();
	const words = /^\d+(?:\.\d+)?$/.test(text) ? `${Math.round(Number(text))}s` : text;
	return parseDuration(
		words.replace(/ ?(min|s|h)(?:ute|econd|our)?s?$/, '$1').replace(/sec$/, 's'),
	);
};

/** So many options that are no longer are taken in at a glance. */
const mostShort = 4;
const longestShort = 24;

const isShort = (question: Question): boolean => {
	const options = optionsOf(question);
	return (
		question.multi !== true &&
		options.length > 0 &&
		options.length <= mostShort &&
		options.every(option => option.length <= longestShort)
	);
};

const longestGlance = 80;

const isWeighed = ({question, context = '', options}: Question): boolean =>
	/\b(?:architect\w*|design|schema|trade-?offs?)\b/i.test(`${question} ${context}`) ||
	options.some(option => option.length > longestGlance);
