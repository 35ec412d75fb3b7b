import type {Store} from '../../git/store/store.ts';

/** An error that a checker tells of a tree. */
export type Diagnosis = {
	/** The file, from the root of the tree. */
	readonly path: string;
	/** Counts from 1. */
	readonly line: number;
	/** The checker's own name of the error, `TS2554` for example; empty where it has none. */
	readonly code: string;
	readonly text: string;
};

/** Returns each error once: a file may belong to several projects or targets. */
export const unique = (errors: readonly Diagnosis[]): readonly Diagnosis[] => [
	...new Map(errors.map(error => [JSON.stringify(error), error])).values(),
];

/** What a checker is given to work with. */
export type OracleContext = {
	/** Holds the trees to check. */
	readonly store: Store;
	/** The person's checkout, whose own tools are preferred to ours; absent for a bare repository. */
	readonly checkout?: string;
	/** Whether a checker may run code of the trees, as build scripts are. */
	readonly runsCode: boolean;
};

/** What a checker says of a tree. */
export type Checked = {
	readonly errors: readonly Diagnosis[];
	/** The files that it read whole, to their end: where it says nothing of one, nothing is wrong with it. */
	readonly covered: ReadonlySet<string>;
	/** Those of the errors that the tree certainly has by itself, where packages that it depends on are missing; all of them if unset. */
	readonly own?: readonly Diagnosis[];
};

/** A checker at work; it remembers what it needs to check the next tree faster. */
export type Oracle = {
	readonly version: string;
	/**
	Checks a tree.

	@throws `Failure` when the checker can't say, or what the signal was aborted with.
	*/
	check(tree: string, signal: AbortSignal): Promise<Checked>;
	close(): Promise<void>;
};

/** A project's own type checker, asked what two changes break together. */
export type OraclePlugin = {
	readonly name: string;
	/** Whether it has something to say of a file. */
	serves(path: string): boolean;
	/** It is a command that runs code of the trees: asked only where there is time for that, and what it can't say of one tree it may say of another. */
	readonly runsTrees?: true;
	/** How long it may work on a merge, in milliseconds, where that is longer than others may. */
	readonly patienceMs?: number;
	/** Starts it; `undefined` where it isn't installed. */
	start(context: OracleContext): Promise<Oracle | undefined>;
};
