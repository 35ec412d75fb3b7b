import type {EffectKey} from '../../events/effect-key.ts';
import type {Body} from '../../events/event.ts';
import {conflictWords} from '../../state/items/conflict/words.ts';
import {agentsToMerge, membersOf} from '../../state/merge/members.ts';
import {attributed, checksAtOnce} from '../../state/merge/parts.ts';
import type {State} from '../../state/state.ts';
import {type Effect, keyed} from './effect.ts';
import {isPinned} from './retries.ts';

/** Returns what has to be done on the way from accepted work to the moved target. */
export const mergeEffects = (state: State): readonly Effect[] => [
	...openings(state),
	...outcomesToCheck(state),
	...steps(state),
];

/** The intent to publish is written before the target is touched. */
export const mergeEvents = (state: State): readonly Body[] =>
	state.merge.phase === 'approved'
		? [
				{
					kind: 'merge.intended',
					commit: state.merge.built.commit,
					from: state.merge.built.tip,
				},
			]
		: [];

const openings = (state: State): readonly Effect[] =>
	state.items.flatMap(item =>
		item.kind === 'conflict' && item.manual.phase === 'wanted'
			? [keyed({do: 'open-resolution', conflict: item.id})]
			: [],
	);

/** What a choice would come to changes with what goes into the merge, so it is checked while that waits for the choice. */
const outcomesToCheck = ({items, merge, session}: State): readonly Effect[] =>
	merge.phase !== 'blocked' || session?.stopping !== undefined
		? []
		: items.flatMap((item): readonly Effect[] => {
				if (item.kind !== 'conflict' || !item.checking || item.checking.result) {
					return [];
				}

				const {choice, since} = item.checking;
				const check = {do: 'check-outcome', conflict: item.id, since} as const;
				return [{...check, choice, key: {...check, choice: conflictWords(choice)}}];
			});

const steps = (state: State): readonly Effect[] => {
	const {merge} = state;
	switch (merge.phase) {
		case 'none':
			return isBuildDue(state) ? [{key: buildKey(state), do: 'build'}] : [];
		case 'built':
			return [
				{
					key: {do: 'verify', commit: merge.built.commit, since: merge.due.seq},
					do: 'verify',
					commit: merge.built.commit,
					tree: merge.built.tree,
				},
			];
		case 'verified':
			return partsToCheck(state);
		case 'intended':
			return [
				{
					key: {do: 'publish', commit: merge.built.commit, approval: merge.approval},
					do: 'publish',
					commit: merge.built.commit,
					from: merge.built.tip,
				},
			];
		case 'blocked':
		case 'failed':
		case 'approved':
			return [];
	}
};

/** As long as a person hasn't decided about a check that failed, it is found out whose work it is that fails. */
const partsToCheck = (state: State): readonly Effect[] => {
	const {merge, session} = state;
	const attribution = attributed(state);
	if (
		merge.phase !== 'verified' ||
		merge.verified.parts === undefined ||
		attribution === undefined ||
		session?.stopping !== undefined ||
		!state.items.some(({kind}) => kind === 'verify')
	) {
		return [];
	}

	const {since} = merge.verified.parts;
	return attribution.next
		.slice(0, checksAtOnce(state))
		.map(agents => keyed({do: 'check-part', since, agents}));
};

/** Returns whether work is being merged, or is about to be. */
export const isMerging = (state: State): boolean =>
	state.session?.stopping === undefined &&
	(membersOf(state.merge).length > 0 || agentsToMerge(state).length > 0);

/** A snapshot that is still owed, since it failed before, would come after the result and not be in it. */
const isBuildDue = (state: State): boolean =>
	isMerging(state) && agentsToMerge(state).every(agent => isPinned(state, agent));

/** The same inputs that failed to build once are not built again before something changes. */
export const buildKey = (state: State): EffectKey => ({
	do: 'build',
	tip: state.session?.tip ?? '',
	work: agentsToMerge(state).map(({id, snapshots}) => ({
		agent: id,
		snapshot: snapshots.at(-1)?.number ?? 0,
	})),
	resolutions: state.resolutions.length,
});
