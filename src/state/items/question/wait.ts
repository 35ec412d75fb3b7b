import type {Awake} from '../../../events/deadline.ts';
import {parseDuration} from '../../../lib/text/duration.ts';
import type {Question} from '../../../signals/index.ts';
import {longestWaitMs} from '../../agent/listening.ts';
import type {ItemOf} from '../../item.ts';
import {agentOf, isAsking, isLive, takesReplies} from '../../select.ts';
import type {State} from '../../state.ts';
import {optionsOf} from './answer.ts';

/**
How the agent of a question waits for its answer. No time that runs out decides anything; the answer counts in each case.

- `goes-on`: it does not wait
- `left`: it left the question to a person by its name, and ends its turn
- `file`: it looks for the answer in a file, for as long as it chose itself
- `until`: it waits in its turn, and is parked then
- `parked`: its turn has ended, or ends because it has asked
*/
export type QuestionWait =
	| {readonly how: 'goes-on' | 'left' | 'file' | 'parked'}
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
		case 'until':
			return `it waits ${when ?? 'for a while'}, then it is paused; your answer counts either way`;
		case 'parked':
			return 'it is paused, and goes on with your answer, whenever you give it';
	}
};

/** The questions of one signal, for the length of their wait. */
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

/** Most options that count as a quick choice. */
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
