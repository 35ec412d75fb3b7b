import type {Outcome} from './open.ts';

/** More signals than this are not remembered while it is unknown whether they count: the latest count most. */
const HELD = 256;

/** What was said where it is not known yet whether it counts. */
export type Held = {
	readonly latest: readonly Outcome[];
	/** How many there were, those that are forgotten included. */
	count(): number;
	hold(outcomes: readonly Outcome[]): void;
};

export const createHeld = (): Held => {
	const latest: Outcome[] = [];
	let count = 0;
	return {
		latest,
		count: () => count,
		hold: outcomes => {
			count += outcomes.length;
			latest.push(...outcomes);
			latest.splice(0, Math.max(0, latest.length - HELD));
		},
	};
};
