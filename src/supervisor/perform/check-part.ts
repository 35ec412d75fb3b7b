import {changedLines} from '../../conflicts/checks/changed-lines.ts';
import type {Body, BodyOf} from '../../events/event.ts';
import type {ChangedBy} from '../../events/kinds/merge-event.ts';
import {commitTree, readRef} from '../../git/store/store.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {omit} from '../../lib/omit.ts';
import type {Effect} from '../../rules/effects/effect.ts';
import {partCheckName} from '../../state/merge/attribution.ts';
import type {State} from '../../state/state.ts';
import {checkTree} from '../merging/check-tree.ts';
import {fittedTree} from '../merging/fitted-tree.ts';
import {putTogether} from '../merging/put-together.ts';
import {selected} from '../picking/select-work.ts';
import {requireSession} from '../require-session.ts';
import type {World} from '../world.ts';

type CheckPart = Extract<Effect, {do: 'check-part'}>;

/** Checks a part of a result that failed, to tell whose work it is; a tree that was checked before isn't checked again. */
export const checkPart = async (
	world: World,
	state: State,
	{key, since, agents}: CheckPart,
): Promise<readonly Body[]> => {
	const checked = (outcome: Outcome): readonly Body[] => [
		{kind: 'part.checked', since, agents, log: null, ...outcome},
	];
	const part = await partOf(world, state, agents).catch(asUnclear);
	if ('outcome' in part) {
		return checked(part);
	}

	const {commit, tree, isAll} = part;
	const known = isAll ? undefined : world.state().checkedTrees.find(one => one.tree === tree);
	if (known !== undefined) {
		return checked(await outcomeOf(world, state, agents, known));
	}

	const everybody = 'built' in state.merge ? state.merge.built.agents : agents;
	const name = partCheckName(since, agents, everybody);
	const outcome = await checkTree(world, requireSession(state), {key, name, commit});
	if (outcome === undefined) {
		return [];
	}

	const {ok, log, places} = outcome;
	return checked({log, ...(await outcomeOf(world, state, agents, {tree, ok, places}))});
};

type Outcome = Omit<BodyOf<'part.checked'>, 'kind' | 'since' | 'agents' | 'log'> &
	Partial<Pick<BodyOf<'part.checked'>, 'log'>>;

type Said = {
	readonly tree: string;
	readonly ok: boolean;
	readonly places: NonNullable<Outcome['places']>;
};

/** Where several fail together, each of them is told with lines of its own. */
const outcomeOf = async (
	world: World,
	state: State,
	agents: readonly string[],
	{tree, ok, places}: Said,
): Promise<Outcome> => {
	const named = places.map(({path}) => path);
	const changed =
		ok || agents.length < 2
			? []
			: await Promise.all(agents.map(id => changedBy(world, state, id, named)));
	return {
		tree,
		outcome: ok ? 'green' : 'red',
		...(places.length === 0 ? {} : {places}),
		...(changed.length === 0 ? {} : {changed: changed.flat()}),
	};
};

const changedBy = async (
	world: World,
	state: State,
	id: string,
	named: readonly string[],
): Promise<readonly ChangedBy[]> => {
	const lines = (await selected(world, state, [id])).map(({base, commit}) =>
		changedLines(world.store, {side: 'a', base, commit}, named),
	);
	return (await Promise.all(lines)).flat().map(line => ({agent: id, ...omit(line, 'side')}));
};

/** A commit on the target's tip with the work of some. */
type Part = {readonly commit: string; readonly tree: string; readonly isAll: boolean};

/** What doesn't go together, or not into the person's checkout, is nobody's failure. */
const asUnclear = (error: unknown): Outcome => {
	const {kind, message} = asFailure(error);
	if (kind !== 'refused') {
		throw error;
	}

	return {tree: null, outcome: 'unclear', why: message};
};

const partOf = async (world: World, state: State, agents: readonly string[]): Promise<Part> => {
	const {store} = world;
	const {tip} = requireSession(state);
	const {merge} = state;
	if ('built' in merge && merge.built.agents.length === agents.length) {
		return {commit: merge.built.commit, tree: merge.built.tree, isAll: true};
	}

	if (agents.length === 0) {
		return {commit: tip, tree: (await readRef(store, `${tip}^{tree}`)) ?? tip, isAll: false};
	}

	const tree = await fittedTree(world, state, await treeOf(world, state, agents));
	const message = `Work of ${agents.join(', ')}\n`;
	const commit = await commitTree(store, {tree, parents: [tip], message, at: world.now()});
	return {commit, tree, isAll: false};
};

const treeOf = async (world: World, state: State, agents: readonly string[]): Promise<string> => {
	const combination = await putTogether(world, state, agents);
	if (combination.kind === 'conflicts') {
		const [summary = ''] = combination.conflicts.map(conflict => conflict.summary);
		throw new Failure('refused', `Their work alone does not go together: ${summary}`);
	}

	return combination.tree;
};
