import {asChange, type Input} from '../../conflicts/input.ts';
import {commitTree} from '../../git/store/store.ts';
import {changes} from '../../git/tree/changes.ts';
import {graft} from '../../git/tree/graft.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {judge} from '../../state/agent/scope.ts';
import {agentOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {requireSession} from '../require-session.ts';
import type {Works} from '../world.ts';

/** Returns the work of agents as it goes into a merge: all of each one's, or the part of it that a person picked. */
export const selected = async (
	works: Works,
	state: State,
	ids: readonly string[],
): Promise<readonly Input[]> => {
	const {startedAt} = requireSession(state);
	const inputs = ids.map(async id => {
		const agent = agentOf(state, id);
		const input = inputOf(state, id);
		return agent && input && partOf(works, agent, input, startedAt);
	});
	return (await Promise.all(inputs)).filter(input => input !== undefined);
};

/** Returns all of an agent's work; nothing of one that has made none. */
export const inputOf = (state: State, id: string): Input | undefined => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	return snapshot && {owners: [id], base: snapshot.startingPoint.base, commit: snapshot.work};
};

const partOf = async ({store}: Works, agent: Agent, input: Input, at: string): Promise<Input> => {
	if (agent.verdict.kind !== 'accepted') {
		return input;
	}

	const {only, files, without = []} = agent.verdict;
	if (only.length === 0 && files === undefined && without.length === 0) {
		return input;
	}

	const picked = {allowed: only, forbidden: []};
	const isTaken = (path: string): boolean =>
		!without.includes(path) && (only.length === 0 || judge(picked, path) === 'allowed');
	const changed = files?.map(asChange) ?? (await changes(store, input.base, input.commit));
	const tree = await graft(store, {
		onto: input.base,
		changes: changed.filter(({path}) => isTaken(path)),
	});
	const message = `${agent.id}: ${agent.subtask.subtask} (a part)`;
	const commit = await commitTree(store, {tree, parents: [input.base], message, at});
	return {...input, commit, whole: input.commit};
};
