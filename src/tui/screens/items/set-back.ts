import type {ResourceKey} from '../../../client/resources/resources.ts';
import type {Item, Kind} from '../../../state/item.ts';
import {kindOf} from '../../../state/items.ts';
import {agentOf, lastSnapshot} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import type {Context, ItemPlace} from '../../model/view.ts';
import {diffRows} from '../../rows/diff-rows.ts';
import {paragraph, type Row, section} from '../../rows/row.ts';
import {resourceOf} from './work/work.ts';

/** A snapshot that a worktree would be set back to. */
export type SetBack = {readonly agent: string; readonly snapshot: number};

/** Returns what the choice that a person has gone to would set back; nothing where it sets nothing back. */
export const setBackInSight = (
	state: State,
	item: Item,
	{cursor}: Pick<ItemPlace, 'cursor'>,
): SetBack | undefined => {
	const snapshot = snapshotsOf(state, item)[cursor ?? -1];
	return snapshot === undefined || !('agent' in item) ? undefined : {agent: item.agent, snapshot};
};

/** Returns for each choice of an item the snapshot that it sets the worktree back to, if it does. */
export const snapshotsOf = (state: State, item: Item): readonly (number | undefined)[] =>
	kindOf<Kind>(item)
		.offers(state, item)
		.map(({choice}) => ('snapshot' in choice ? choice.snapshot : undefined));

/** Returns the resource with what would change in the worktree. */
export const setBackKey = (state: State, {agent: id, snapshot}: SetBack): ResourceKey => {
	const agent = agentOf(state, id);
	return {
		what: {of: 'restore', agent: id, snapshot},
		state: String((agent && lastSnapshot(agent)?.number) ?? 0),
	};
};

/** What would change in a worktree by the choice that the person has gone to, before anything is decided. */
export const setBackRows = (
	{model}: Context,
	item: Item,
	place: ItemPlace,
	columns: number,
): readonly Row[] => {
	const wanted = setBackInSight(model.state, item, place);
	return wanted === undefined
		? paragraph(
				'Go to a choice that sets the worktree back to see what it changes.',
				columns,
				'dim',
			)
		: section(
				`The worktree of ${wanted.agent} after it is set back to snapshot ${wanted.snapshot}`,
				diffRows(resourceOf(model, setBackKey(model.state, wanted)), columns),
			);
};
