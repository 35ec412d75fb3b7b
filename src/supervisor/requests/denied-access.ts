import {reachIn} from '../../lib/process/box.ts';
import type {Containment} from '../../lib/process/containment.ts';
import {isToAsk} from '../../state/agent/access.ts';
import type {Denial} from '../../state/agent/agent.ts';
import {agentOf} from '../../state/select.ts';
import {openable, type Reaching} from '../machine/openable.ts';
import type {World} from '../world.ts';

export type DeniedParts = Reaching & {
	readonly containment: Containment;
	readonly agent: string;
	readonly turn: number;
};

/**
Reports a path that a tool of an agent was denied, if a person can open it: where it is there for them and the agent's box keeps it from the agent.

What an agent prints may be made up; so the box is asked, and not the agent.
*/
export const reportDenied = (
	{state, report}: Pick<World, 'state' | 'report'>,
	{containment: {box}, agent: id, turn, ...place}: DeniedParts,
	denial: Denial,
): void => {
	const agent = agentOf(state(), id);
	const path = box && !reachIn(box, denial.path)[denial.to] ? openable(denial, place) : undefined;
	if (path !== undefined && agent !== undefined && isToAsk(state(), agent, {...denial, path})) {
		report({kind: 'access.denied', agent: id, turn, path, to: denial.to});
	}
};
