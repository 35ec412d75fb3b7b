import type {Body} from '../../../events/event.ts';
import {thaw} from '../../../lib/process/freezer.ts';
import type {EffectOf} from '../../../rules/effects/effect.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {listeningDeadline} from '../../../state/agent/listening.ts';
import {takesReplies} from '../../../state/select.ts';
import type {World} from '../../world.ts';

/**
Delivers decided replies and permissions to a live turn.

Replies go first to the calls that wait for them, then to the agent's open input if it has one. For a call without a listener, the deadline is recorded as passed; its replies come with the next prompt.
*/
export const reply = async (
	world: World,
	agent: Agent,
	{turn, items}: EffectOf<'reply'>,
): Promise<readonly Body[]> => {
	const live = world.turns.get(agent.id);
	if (!live) {
		return [];
	}

	const replies = agent.replies.filter(({item}) => items.includes(item));
	const taken = world.tools.give(agent.id, replies);
	const left = replies.filter(({item}) => !taken.includes(item));
	live.permit(agent.permits.filter(({item}) => items.includes(item)));
	const isTold =
		left.length > 0 &&
		(takesReplies(agent) || live.takesWords === true) &&
		(await live.reply(left));
	const lost = isTold ? [] : left.map(({item}) => item);
	const delivered = items.filter(item => !lost.includes(item));
	return [
		...(delivered.length === 0
			? []
			: [{kind: 'reply.delivered' as const, agent: agent.id, turn, items: delivered}]),
		...lostCalls(agent, lost),
	];
};

const lostCalls = ({id, listening}: Agent, items: readonly string[]): readonly Body[] =>
	listening
		.filter(call => call.items.some(item => items.includes(item)))
		.map(call => ({kind: 'deadline.passed', deadline: listeningDeadline(id, call)}));

/** Ends a turn; resolves when its end is written. */
export const endTurn = async (
	world: World,
	{agent, politely}: EffectOf<'end-turn'>,
): Promise<readonly Body[]> => {
	const live = world.turns.get(agent);
	if (live) {
		// A frozen process can't react to a polite signal.
		thaw(live);
	}

	await (politely ? live?.interrupt() : live?.stop());
	await live?.over;
	return [];
};
