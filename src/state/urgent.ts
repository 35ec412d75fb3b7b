import type {Item} from './item.ts';

/** Returns whether an agent asked for somebody to look at once. */
export const isUrgent = (item: Item): boolean =>
	item.kind === 'question' && item.question.urgent === true;

/** Returns the items with one more: what is urgent comes before all that is not, behind what was urgent before it. */
export const withPlaced = (items: readonly Item[], item: Item): readonly Item[] => {
	const at = isUrgent(item) ? items.findIndex(other => !isUrgent(other)) : -1;
	return at === -1 ? [...items, item] : items.toSpliced(at, 0, item);
};
