import type {Request, Ruling} from '../../../agents/acp/permission/gate.ts';
import {defined} from '../../../lib/defined.ts';
import {allowancesOf} from '../../../state/agent/allowance.ts';
import {agentOf} from '../../../state/select.ts';
import {isAllowed} from '../../requests/allowed-command.ts';
import {ruleOn} from '../../requests/permission.ts';
import type {World} from '../../world.ts';
import {fromTree} from './in-tree.ts';

/** Rules on what an agent asks leave for: what a scope or a leave for the session decides is decided at once, and what is refused leaves a trace; the rest becomes an item of the inbox. */
export const ruleRequest = async (
	world: World,
	agent: string,
	turn: number,
	{number, ...wanted}: Request,
): Promise<Ruling> => {
	const scope = agentOf(world.state(), agent)?.subtask.scope ?? {allowed: [], forbidden: []};
	const {tree} = world.folder.agent(agent);
	const verdict = await ruleOn(scope, tree, wanted);
	switch (verdict.kind) {
		case 'allow':
			return verdict;
		case 'refuse':
			for (const {what, why} of verdict.refused) {
				world.report({kind: 'scope.left', agent, path: what, change: 'refused', why, patch: ''});
			}

			return {
				kind: 'refuse',
				why: verdict.refused.map(({what, why}) => `${what}: ${why}`).join('; '),
			};
		case 'ask': {
			const allowances = allowancesOf(world.state().allowances, agent);
			if (await isAllowed(allowances, scope, tree, wanted)) {
				return {kind: 'allow'};
			}

			const request = `${agent}/${turn}/${number}`;
			const {title, paths, command} = wanted;
			world.report({
				kind: 'permission.asked',
				agent,
				turn,
				request,
				title,
				...defined({command}),
				paths: paths.map(fromTree(tree)),
			});
			return {kind: 'ask', request};
		}
	}
};
