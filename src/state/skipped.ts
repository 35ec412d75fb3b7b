import type {State} from './state.ts';

/** Work that an agent was told to skip. */
export type Skipped = {
	readonly at: string;
	readonly agent: string;
	/** The item on which a person decided so. */
	readonly item: string;
	/** What it could not do, in its own words. */
	readonly what: string;
	/** What kept it from that. */
	readonly why: string;
	/** What the person said to it. */
	readonly note?: string;
};

/** Returns the state in which one more thing is skipped. */
export const withSkipped = (state: State, skipped: Skipped): State => ({
	...state,
	skipped: [...state.skipped, skipped],
});
