import type {Body} from '../../events/event.ts';
import type {Collision} from '../../events/kinds/merge-event.ts';
import {isSame} from '../../lib/is-same.ts';
import {type ItemOf, itemId, itemPrefix} from '../../state/item.ts';
import type {State} from '../../state/state.ts';

/** Returns what is told of the collisions that building found: what was known already stays as it is; what is no longer found is gone. */
export const collisionsFound = (state: State, found: readonly Collision[]): readonly Body[] => {
	const open = openConflicts(state);
	const fresh = found.filter(conflict => !open.some(item => isAbout(item, conflict)));
	const gone = open.filter(item => !found.some(conflict => isAbout(item, conflict)));
	const {[itemPrefix.conflict]: before = 0} = state.counts;
	const kept = open.filter(item => !gone.includes(item)).map(({id}) => id);
	return [
		...gone.map(({id}): Body => ({kind: 'conflict.gone', conflict: id})),
		...fresh.map((conflict): Body => ({kind: 'conflict.found', ...conflict})),
		{
			kind: 'merge.blocked',
			conflicts: [
				...kept,
				...fresh.map((_, position) => itemId('conflict', before + 1 + position)),
			],
		},
	];
};

/** Returns the conflicts that wait for a person. */
export const openConflicts = (state: State): readonly ItemOf<'conflict'>[] =>
	state.items.filter(item => item.kind === 'conflict');

const isAbout = (item: ItemOf<'conflict'>, conflict: Collision): boolean =>
	isSame(identityOf(item), identityOf(conflict));

/** What has to stay the same for a person's resolution folder to be of use. */
const identityOf = (conflict: Collision): readonly unknown[] => {
	const {path, a, b} = conflict;
	return 'stages' in conflict
		? [path, a, b, conflict.stages]
		: [conflict.key, a, b, conflict.files, conflict.confirmed];
};
