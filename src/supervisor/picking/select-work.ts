import {asChange, type Input} from '../../conflicts/input.ts';
import type {TakenFile} from '../../events/event.ts';
import {commitTree, type Store} from '../../git/store/store.ts';
import {changes, renames} from '../../git/tree/changes.ts';
import {graft} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import {allows} from '../../state/agent/scope.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {requireSession, type Works} from '../world.ts';

/** Returns agents' work for a merge: all of it, or the part that a person picked. */
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

/** Returns all of an agent's work; `undefined` if it has none. */
export const inputOf = (state: State, id: string): Input | undefined => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	return snapshot && {owners: [id], base: snapshot.startingPoint.base, commit: snapshot.work};
};

/** Returns all of an agent's work, or throws a `Failure` of kind `refused` if it has none. */
export const requireInput = (state: State, id: string): Input => {
	const input = inputOf(state, id);
	if (input === undefined) {
		throw new Failure('refused', `There is no work of ${id} yet.`);
	}

	return input;
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
		!without.includes(path) && (only.length === 0 || allows(picked, path));
	const changed = files?.map(asChange) ?? (await changes(store, input.base, input.commit));
	const tree = await graft(store, {
		onto: input.base,
		changes: changed.filter(({path}) => isTaken(path)),
	});
	const message = `${agent.id}: ${agent.subtask.subtask} (a part)`;
	const commit = await commitTree(store, {tree, parents: [input.base], message, at});
	return {...input, commit, whole: input.commit};
};

/**
Throws if files would replace ones that a work has under another name: the result would contain both.

@throws `Failure` of kind `refused` that names the first such file
*/
export const requireUnmoved = async (
	store: Store,
	{base, commit, owners}: Input,
	files: readonly TakenFile[],
): Promise<void> => {
	const taken = new Set(files.map(({path}) => path));
	const moved = await renames(store, base, commit);
	const split = moved.find(({from, to}) => taken.has(from) !== taken.has(to));
	if (split !== undefined) {
		const {from, to} = split;
		throw new Failure(
			'refused',
			`${owners.join()} renamed ${from} to ${to}, and the result would have both.`,
			{
				hint: 'take hunks of it with a patch instead: they are merged into the file under its new name',
			},
		);
	}
};
