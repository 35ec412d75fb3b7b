import type {Body} from '../../events/event.ts';
import type {Effect} from '../../rules/effect.ts';
import type {Agent} from '../../state/agent.ts';
import type {World} from '../world.ts';

/** Hands decided replies and permissions to a live turn. */
export const reply = (
	world: World,
	agent: Agent,
	{turn, items}: Extract<Effect, {do: 'reply'}>,
): readonly Body[] => {
	const live = world.turns.get(agent.id);
	if (!live) {
		return [];
	}

	const replies = agent.replies.filter(({item}) => items.includes(item));
	if (replies.length > 0) {
		live.reply(replies);
	}

	live.permit(agent.permits.filter(({item}) => items.includes(item)));
	return [{kind: 'reply.delivered', agent: agent.id, turn, items}];
};

/** Ends a turn from outside; settles when its end is written. */
export const endTurn = async (world: World, agent: string): Promise<readonly Body[]> => {
	const live = world.turns.get(agent);
	await live?.stop();
	await live?.over;
	return [];
};
