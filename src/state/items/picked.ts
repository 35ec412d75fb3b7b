/** Parts of an agent's work that a person picked, by their place in its diff. */
export type Picked = PickedOf & {
	/** What they picked of the works of further rivals. */
	readonly also?: readonly (PickedOf & {readonly agent: string})[];
};

export type PickedOf = {
	/** The commit of the work that they saw; of another one nothing is taken. */
	readonly work: string;
	readonly parts: readonly PickedPart[];
};

/** A changed file, counted from 0: all of it, or some of its hunks, counted from 0, too. */
export type PickedPart = {readonly file: number; readonly hunks: 'all' | readonly number[]};
