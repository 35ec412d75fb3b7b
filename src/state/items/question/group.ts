import type {ItemOf} from '../../item.ts';
import type {State} from '../../state.ts';

/** Names the questions that an agent asked at once. */
export type QuestionGroup = {readonly agent: string; readonly group: number};

/** Returns the questions of a group that still wait, in the order in which they were asked. */
export const openInGroup = (
	{items}: State,
	{agent, group}: QuestionGroup,
): readonly ItemOf<'question'>[] =>
	items
		.filter(
			(item): item is ItemOf<'question'> =>
				item.kind === 'question' && item.agent === agent && item.group === group,
		)
		.toSorted((one, other) => numberOf(one) - numberOf(other));

/** What was put off stands behind the others in the inbox, and where it was asked in its group. */
const numberOf = ({id}: ItemOf<'question'>): number => Number(id.slice(id.indexOf('-') + 1));
