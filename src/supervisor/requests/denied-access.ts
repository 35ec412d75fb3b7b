import {reachIn} from '../../lib/process/box.ts';
import type {Containment} from '../../lib/process/containment.ts';
import {isToAsk} from '../../state/agent/access.ts';
import type {Denial} from '../../state/agent/agent.ts';
import {agentOf} from '../../state/select.ts';
import {isSocket, openable, type Reaching} from '../machine/openable.ts';
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
	world: Told,
	{containment: {box}, agent, turn, ...place}: DeniedParts,
	denied: Denial,
): void => {
	const denial = isSocket(denied.path) ? ({...denied, to: 'connect'} as const) : denied;
	const path = box && !reachIn(box, denial.path)[denial.to] ? openable(denial, place) : undefined;
	if (path !== undefined) {
		ask(world, {agent, turn}, {...denial, path});
	}
};

/** Reports a host that an agent was refused: a person is asked about it once. What nobody is asked about, as in the setup of a worktree, stands in the log. */
export const reportRefusedHost = (
	world: Told,
	{agent, turn}: {readonly agent: string; readonly turn?: number},
	host: string,
	isLast: boolean,
): void => {
	// A name with a star would open more than itself.
	const isName = /^[\w.:-]{1,253}$/.test(host);
	if (isLast || !(isName && turn && ask(world, {agent, turn}, {path: host, to: 'connect'}))) {
		const opening =
			'sandbox.network closes it; allow.hosts of the plan or your config opens it from its next start on';
		const why = isLast ? `${opening}. Further hosts that it asks for are not listed` : opening;
		world.report({kind: 'scope.left', agent, path: host, change: 'refused', why, patch: ''});
	}
};

/** Asks a person about what an agent was denied, unless they were asked; returns whether they are. */
const ask = (
	{state, report}: Told,
	{agent: id, turn}: Pick<DeniedParts, 'agent' | 'turn'>,
	{path, to}: Denial,
): boolean => {
	const agent = agentOf(state(), id);
	const isAsked = agent !== undefined && isToAsk(state(), agent, {path, to});
	if (isAsked) {
		report({kind: 'access.denied', agent: id, turn, path, to});
	}

	return isAsked;
};

type Told = Pick<World, 'state' | 'report'>;
