import type {Item, ItemOf} from '../../item.ts';
import {type State, withItemsOf} from '../../state.ts';

/** Names the questions that an agent asked at once. */
export type QuestionGroup = {readonly agent: string; readonly group: number};

/** Returns the questions of a group that still wait, in the order in which they were asked. */
export const openInGroup = ({items}: State, group: QuestionGroup): readonly ItemOf<'question'>[] =>
	items.filter(isIn(group)).toSorted((one, other) => numberOf(one) - numberOf(other));

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

/** What was put off stands behind the others in the inbox, and where it was asked in its group. */
const numberOf = ({id}: ItemOf<'question'>): number => Number(id.slice(id.indexOf('-') + 1));
