import type {Model} from '../../client/model.ts';

/** A diff among the rows of a body: its paper, how it is laid out, and its first row there. */
export type ShownDiff = {
	readonly paper: string;
	readonly columns: number;
	readonly from: number;
};

/** Returns where a diff is shown; nowhere before it is there. */
export const shownDiff = (
	{papers}: Model,
	paper: string | undefined,
	columns: number,
	from: number,
): ShownDiff | undefined =>
	paper !== undefined && papers[paper]?.phase === 'ready' ? {paper, columns, from} : undefined;
