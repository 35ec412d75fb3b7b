import type {AgentOrder} from '../../events/agent-order.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {didYouMean} from '../../rules/plan/did-you-mean.ts';

export const verbs = [
	'message',
	'pause',
	'resume',
	'restart',
	'retry',
	'shell',
	'editor',
	'attach',
	'permissions',
	'withdraw',
	'grant',
	'check',
	'stop',
] as const;

/** What is typed besides words. */
export type Options = {
	readonly now?: true;
	/** Number of a snapshot. */
	readonly from?: string;
	readonly as?: Extract<AgentOrder, {verb: 'restart'}>['as'];
};

/** Reads what one agent is to do, as it is typed behind its id. */
export const readOrder = (
	verb: string,
	words: readonly string[],
	{now, from, as}: Options,
): AgentOrder => {
	const text = words.join(' ');
	if (now && verb !== 'message') {
		throw new Failure('usage', '--now is for a message.');
	}

	if ((from !== undefined || as !== undefined) && verb !== 'restart') {
		throw new Failure('usage', '--from and --agent are for a restart.');
	}

	switch (verb) {
		case 'message':
			return {verb, text: required(text), ...(now ? {now} : {})};
		case 'restart':
			return without(words, {verb, from: numberIn(from), ...defined({as})});
		case 'grant':
			return {verb, paths: someOf(words)};
		case 'pause':
		case 'check':
		case 'stop':
			return without(words, {verb});
		case 'resume':
			return {verb, ...(text === '' ? {} : {text})};
		default: {
			const meant = didYouMean(verb, verbs);
			throw new Failure('usage', `There is no verb "${verb}" for an agent.`, {
				hint: meant === undefined ? `take one of: ${verbs.join(', ')}` : `did you mean "${meant}"?`,
			});
		}
	}
};

/** Reads the number of a snapshot, where one is typed. */
const numberIn = (text: string | undefined): number | null => {
	if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text)) {
		throw new Failure('usage', `"${text}" is no number of a snapshot.`, {
			hint: 'delegate-tui log shows the snapshots',
		});
	}

	return text === undefined ? null : Number(text);
};

const required = (text: string): string => {
	if (text.trim() === '') {
		throw new Failure('usage', 'The message has no words.', {
			hint: 'delegate-tui agent AGT-001 message "Use the clock of the request"',
		});
	}

	return text;
};

const someOf = (paths: readonly string[]): readonly string[] => {
	if (paths.length === 0) {
		throw new Failure('usage', 'There is no path to grant.', {
			hint: 'delegate-tui diff AGT-001 --reverted shows what was reverted',
		});
	}

	return paths;
};

const without = (words: readonly string[], order: AgentOrder): AgentOrder => {
	if (words.length > 0) {
		throw new Failure('usage', `"${order.verb}" takes no words, such as "${words.join(' ')}".`);
	}

	return order;
};
