import {parseDuration} from '../../../lib/text/duration.ts';
import type {Question} from '../../../signals/index.ts';
import {optionsOf} from './answer.ts';

/** Nobody is waited for longer than this, in milliseconds: agents' own tools give up after ten minutes. */
export const longestWaitMs = 8 * 60_000;

/** What the questions of one signal wait for. */
export type Asked = {
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
