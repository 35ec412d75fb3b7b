import {relative} from 'node:path';
import {isIn} from '../../lib/files/folders.ts';
import {reachIn} from '../../lib/process/box.ts';
import type {Containment} from '../../lib/process/containment.ts';
import {isToAsk} from '../../state/agent/access.ts';
import type {Denial} from '../../state/agent/agent.ts';
import {judge} from '../../state/agent/scope.ts';
import {agentOf} from '../../state/select.ts';
import {isSocket, openable, type Reaching} from '../machine/openable.ts';
import type {World} from '../world.ts';

export type DeniedParts = Reaching & {
	readonly containment: Containment;
	readonly agent: string;
	readonly turn: number;
};

/**
Reports a path to which an agent's tool was denied access, if it exists, the sandbox hides it, and a person can open it. Reports an attempt to write a forbidden path, which nobody can open, once.

An agent may print anything, so the sandbox is checked.
*/
export const reportDenied = (
	world: Told,
	{containment: {box}, agent, turn, ...place}: DeniedParts,
	denied: Denial,
): void => {
	const denial = isSocket(denied.path) ? ({...denied, to: 'connect'} as const) : denied;
	if (box === undefined || reachIn(box, denial.path)[denial.to]) {
		return;
	}

	const closed = box.find(({as, path}) => as === 'closed' && isIn(path, denial.path));
	const path = openable(denial, place);
	if (closed !== undefined) {
		reportForbidden(world, agent, relative(place.tree, closed.path));
	} else if (path !== undefined) {
		ask(world, {agent, turn}, {...denial, path});
	}
};

/** Reports that an agent tried to write a forbidden path, unless that was reported before. */
const reportForbidden = ({state, report}: Told, id: string, path: string): void => {
	const agent = agentOf(state(), id);
	const verdict = agent && judge(agent.subtask.scope, path);
	const isTold = agent?.violations.some(one => one.refused && one.path === path);
	if (typeof verdict === 'object' && !isTold) {
		report({
			...{kind: 'scope.left', agent: id, path, change: 'refused'},
			...{why: verdict.outside, patch: ''},
		});
	}
};

/** Reports a refused host; a person is asked about it once. If no person is asked, as in the setup of a worktree, it goes into the log. */
export const reportRefusedHost = (
	world: Told,
	{agent, turn}: {readonly agent: string; readonly turn?: number},
	host: string,
	isLast: boolean,
): void => {
	// A name with a star would open further hosts.
	const isName = /^[\w.:-]{1,253}$/.test(host);
	if (isLast || !(isName && turn && ask(world, {agent, turn}, {path: host, to: 'connect'}))) {
		const opening =
			'sandbox.network closes it; allow.hosts of the plan or your config opens it from its next start on';
		const why = isLast ? `${opening}. Further hosts that it asks for are not listed` : opening;
		world.report({kind: 'scope.left', agent, path: host, change: 'refused', why, patch: ''});
	}
};

/** Asks a person about a denied access, unless they were asked before; returns whether it asked. */
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
