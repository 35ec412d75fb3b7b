import {homedir} from 'node:os';
import {setTimeout} from 'node:timers/promises';
import {untilMinuteAfter} from '../../../agents/acp/clock-minute.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import type {Agent} from '../../../state/agent/agent.ts';

/** What an agent's next process is started in, and when. */
export type GoingOn = {
	readonly now: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
};

/**
Settles when an agent's conversation may be taken up; rejects when `signal` aborts before that.

Some agents destroy a conversation that is taken up too soon, or once more.
*/
export const readyToGoOn = async (
	{
		subtask,
		conversation,
		conversationSince,
	}: Pick<Agent, 'subtask' | 'conversation' | 'conversationSince'>,
	{now, environment, signal}: GoingOn,
): Promise<void> => {
	const profile = profileOf(subtask.agent);
	if (conversationSince !== undefined && profile?.waitsForMinute) {
		await setTimeout(untilMinuteAfter(conversationSince, now), undefined, {signal});
	}

	if (conversation !== undefined) {
		await profile?.beforeTakingUp?.(conversation, {
			home: environment.HOME || homedir(),
			environment,
		});
	}
};
