import type {EventOf} from '../../events/event.ts';
import {defined, omit} from '../../lib/values.ts';
import type {State} from '../state.ts';
import {type Attribution, attributionOf, isSamePart, type Verdict} from './attribution.ts';
import type {CheckedTree} from './merge.ts';

type PartChecked = EventOf<'part.checked'>;

/** Records the check of a part of a failed result; for any other result only its tree is remembered. */
export const partChecked = (state: State, event: PartChecked): State => {
	const {since, ...run} = omit(event, 'kind', 'seq', 'at');
	const {tree, outcome, places} = run;
	const seen =
		tree === null || outcome === 'unclear'
			? state
			: withCheckedTree(state, {tree, ok: outcome === 'green', ...defined({places})});
	const {merge} = seen;
	if (merge.phase !== 'verified' || merge.verified.parts?.since !== since) {
		return seen;
	}

	const {verified} = merge;
	const others = merge.verified.parts.runs.filter(({agents}) => !isSamePart(agents, run.agents));
	const parts = {since, runs: [...others, run]};
	return {...seen, merge: {...merge, verified: {...verified, parts}}};
};

/** Maximum number of trees with a remembered check. */
const mostTrees = 50;

/** Remembers the check of a tree; the last one counts. */
export const withCheckedTree = (state: State, checked: CheckedTree): State => ({
	...state,
	checkedTrees: [...state.checkedTrees.filter(({tree}) => tree !== checked.tree), checked].slice(
		-mostTrees,
	),
});

/** Forgets failed trees, for a retry. */
export const withoutRedTrees = (state: State): State => ({
	...state,
	checkedTrees: state.checkedTrees.filter(({ok}) => ok),
});

/** Returns the agents whose work fails the check of the result, as far as known; nothing if that isn't being determined. */
export const attributed = ({merge}: Pick<State, 'merge'>): Attribution | undefined =>
	'verified' in merge && merge.verified.parts !== undefined
		? attributionOf(merge.built.agents, merge.verified.parts.runs)
		: undefined;

/** Returns the agents that are blamed for a failed check; none if unknown. */
export const charged = (verdict: Verdict | undefined): readonly string[] =>
	verdict?.kind === 'agents' ? [...new Set(verdict.sets.flatMap(({agents}) => agents))] : [];

export const checksAtOnce = ({session}: Pick<State, 'session'>): number =>
	session?.settings.checks ?? 1;
