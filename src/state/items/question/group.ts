import type {Item, ItemOf} from '../../item.ts';
import {type State, withItemsOf} from '../../state.ts';

/** Names the questions that an agent asked at once. */
export type QuestionGroup = {readonly agent: string; readonly group: number};

/** Returns the questions of a group that still wait, in the order in which they were asked: what was put off stands behind the others in the inbox only. */
export const openInGroup = ({items}: State, group: QuestionGroup): readonly ItemOf<'question'>[] =>
	items.filter(isIn(group)).toSorted((one, other) => one.number - other.number);

/** Returns the state with each question of a group that still waits replaced. */
export const withGroup = (
	state: State,
	group: QuestionGroup,
	change: (item: ItemOf<'question'>) => ItemOf<'question'>,
): State => withItemsOf(state, 'question', isIn(group), change);

const isIn =
	({agent, group}: QuestionGroup) =>
	(item: Item): item is ItemOf<'question'> =>
		item.kind === 'question' && item.agent === agent && item.group === group;
