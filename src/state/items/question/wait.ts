import type {Awake} from '../../../events/deadline.ts';
import {parseDuration} from '../../../lib/text/duration.ts';
import type {Question} from '../../../signals/index.ts';
import {longestWaitMs} from '../../agent/listening.ts';
import type {ItemOf} from '../../item.ts';
import {agentOf, isAsking, isLive, takesReplies} from '../../select.ts';
import type {State} from '../../state.ts';
import {optionsOf} from './answer.ts';

/**
The way in which the agent of a question waits for its answer. No timeout decides anything; a late answer always counts.

- `goes-on`: it does not wait
- `left`: it left the question to a person by name, and ends its turn
- `file`: it polls a file for the answer, with its own timeout
- `until`: it waits in its turn until a time, and is then parked
- `parked`: its turn has ended, or ends because it has asked
*/
export type QuestionWait =
	| {readonly how: 'goes-on' | 'left' | 'file' | 'parked'}
	| {readonly how: 'until'; readonly at: Awake};

/** Returns how the agent of a question waits now; all texts for people use this. */
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
	const at = callEnds ?? (isAsking(agent) || takesReplies(agent) ? item.deadline : item.asked);
	return at > item.asked ? {how: 'until', at} : {how: 'parked'};
};

/**
Returns a text about the agent's wait for an answer.

@param when Time at which it is parked or its call ends, such as `until 12:00` or `for 5m`.
*/
export const waitText = (how: QuestionWait['how'], when?: string): string => {
	switch (how) {
		case 'goes-on':
			return 'it goes on without waiting';
		case 'left':
			return 'it left this to you and ended its turn; it goes on with your answer, whenever you give it';
		case 'file':
			return 'it looks for your answer in a file until its own timeout; your answer counts either way';
		case 'until':
			return `it waits ${when ?? 'for a while'}, then it is paused; your answer counts either way`;
		case 'parked':
			return 'it is paused, and goes on with your answer, whenever you give it';
	}
};

/** Data about the questions of one signal that determines their wait. */
type Asked = {
	/** Wait of an ordinary question, in milliseconds; 0 means none. */
	readonly quickMs: number;
	/** Number of questions asked at once. */
	readonly count: number;
};

/**
Returns the time for which an agent waits for a quick answer before it lets go, in milliseconds.

The agent's own value counts. Otherwise the wait fits the time that a person needs: of the five minutes, two for yes or no or a few short options; seven for a decision to weigh, such as a design or several questions at once.
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

/** Reads a wait; a number means seconds, and an invalid value counts as absent. */
const readWait = (said: string | number | undefined): number | undefined => {
	const text = String(said ?? '').trim();
	const words = /^\d+(?:\.\d+)?$/.test(text) ? `${Math.round(Number(text))}s` : text;
	return parseDuration(
		words.replace(/ ?(min|s|h)(?:ute|econd|our)?s?$/, '$1').replace(/sec$/, 's'),
	);
};

/** Maximum number of options, and their length, for a quick choice. */
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
