import type {Body} from '../../events/event.ts';
import type {Effect} from '../../rules/effects/effect.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {checkTree} from '../merging/check-tree.ts';
import {requireSnapshot} from '../require-agent.ts';
import {requireSession} from '../require-session.ts';
import type {World} from '../world.ts';

type CheckSnapshot = Extract<Effect, {do: 'check-snapshot'}>;

/** Runs the plan's checks on one agent's work alone, as a snapshot holds it; one at a time, since nobody waits for them to go on. */
export const checkSnapshot = async (
	world: World,
	state: State,
	agent: Agent,
	{key, number, since}: CheckSnapshot,
): Promise<readonly Body[]> => {
	const {work: commit, tree} = requireSnapshot(agent, number);
	return world.serially('check-snapshot', async () => {
		const name = `${agent.id}-${number}-${since}`;
		const outcome = await checkTree(world, requireSession(state), {key, name, commit});
		if (outcome === undefined) {
			return [];
		}

		const {ok, commands, log} = outcome;
		return [{kind: 'snapshot.checked', agent: agent.id, number, since, tree, ok, commands, log}];
	});
};
