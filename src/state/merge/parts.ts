import type {EventOf} from '../../events/event.ts';
import {omit} from '../../lib/values.ts';
import type {State} from '../state.ts';
import {type Attribution, attributionOf, isSamePart, type Verdict} from './attribution.ts';
import type {CheckedTree} from './merge.ts';

type PartChecked = EventOf<'part.checked'>;

/** A part of the result that failed was checked; of another result than the present one it is only remembered. */
export const partChecked = (state: State, event: PartChecked): State => {
	const {since, ...run} = omit(event, 'kind', 'seq', 'at');
	const {tree, outcome, places = []} = run;
	const seen =
		tree === null || outcome === 'unclear'
			? state
			: withCheckedTree(state, {tree, ok: outcome === 'green', places});
	const {merge} = seen;
	if (merge.phase !== 'verified' || merge.verified.parts?.since !== since) {
		return seen;
	}

	const {verified} = merge;
	const others = merge.verified.parts.runs.filter(({agents}) => !isSamePart(agents, run.agents));
	const parts = {since, runs: [...others, run]};
	return {...seen, merge: {...merge, verified: {...verified, parts}}};
};

/** Trees of which is remembered what the check said. */
const mostTrees = 50;

/** Remembers what a check said of a tree; the last word counts. */
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

/** Returns whose work fails the check of the result, as far as it is known; nothing where that isn't asked. */
export const attributed = ({merge}: Pick<State, 'merge'>): Attribution | undefined =>
	'verified' in merge && merge.verified.parts !== undefined
		? attributionOf(merge.built.agents, merge.verified.parts.runs)
		: undefined;

/** Returns those whose work a check's failure is charged to; nobody where that isn't known. */
export const charged = (verdict: Verdict | undefined): readonly string[] =>
	verdict?.kind === 'agents' ? [...new Set(verdict.sets.flatMap(({agents}) => agents))] : [];

/** Returns how many parts are checked at a time on this machine. */
export const checksAtOnce = ({session}: Pick<State, 'session'>): number =>
	session?.settings.checks ?? 1;
