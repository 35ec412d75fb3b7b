import type {Awake} from '../../../events/awake.ts';
import {defined} from '../../../lib/defined.ts';
import type {ItemOf} from '../../item.ts';
import {agentOf, isAsking, isLive, takesReplies} from '../../select.ts';
import type {State} from '../../state.ts';
import {pausedSince} from './clock.ts';

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
