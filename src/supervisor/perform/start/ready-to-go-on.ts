import {setTimeout} from 'node:timers/promises';
import {untilMinuteAfter} from '../../../agents/acp/minute.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import type {Agent} from '../../../state/agent/agent.ts';

/**
Settles when an agent's conversation may be taken up; rejects when `signal` aborts before that.

Some agents destroy a conversation that is taken up too soon.
*/
export const readyToGoOn = async (
	{subtask, conversationSince}: Pick<Agent, 'subtask' | 'conversationSince'>,
	now: string,
	signal: AbortSignal,
): Promise<void> => {
	if (conversationSince !== undefined && profileOf(subtask.agent)?.waitsForMinute) {
		await setTimeout(untilMinuteAfter(conversationSince, now), undefined, {signal});
	}
};
