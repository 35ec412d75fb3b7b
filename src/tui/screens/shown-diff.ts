import type {Model} from '../../client/model.ts';
import {keyText, type ResourceKey} from '../../client/resources/resources.ts';

/** A diff among the rows of a body: its resource, how it is laid out, and its first row there. */
export type ShownDiff = {
	readonly resource: string;
	readonly columns: number;
	readonly from: number;
};

/** Returns where a diff is shown; nowhere before it is there. */
export const shownDiff = (
	{resources}: Model,
	key: ResourceKey | undefined,
	columns: number,
	from: number,
): ShownDiff | undefined =>
	key !== undefined && resources[keyText(key)]?.phase === 'ready'
		? {resource: keyText(key), columns, from}
		: undefined;
