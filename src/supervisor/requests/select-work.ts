import type {Input} from '../../conflicts/input.ts';
import {commitTree} from '../../git/store/store.ts';
import {changes} from '../../git/tree/changes.ts';
import {graft} from '../../git/tree/graft.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {judge} from '../../state/agent/scope.ts';
import type {Works} from '../world.ts';

/** Returns an agent's work, or the part of it that a person picked when salvaging. */
export const selected = async (
	{store}: Works,
	agent: Agent,
	input: Input,
	at: string,
): Promise<Input> => {
	if (agent.verdict.kind !== 'accepted' || agent.verdict.only.length === 0) {
		return input;
	}

	const picked = {allowed: agent.verdict.only, forbidden: []};
	const changed = await changes(store, input.base, input.commit);
	const tree = await graft(store, {
		onto: input.base,
		changes: changed.filter(({path}) => judge(picked, path) === 'allowed'),
	});
	const message = `${agent.id}: ${agent.subtask.subtask} (salvaged)`;
	const commit = await commitTree(store, {tree, parents: [input.base], message, at});
	return {...input, commit};
};
