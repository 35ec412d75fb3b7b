import type {Diagnosis} from '../oracle.ts';

/** A checker that is a program: how to ask it, and how to read what it says. */
export type Checker = {
	/** Shown to people. */
	readonly name: string;
	readonly program: string;
	/** What makes it print its version. */
	readonly version: readonly string[];
	serves(path: string): boolean;
	/** A file that must lie at the root of a tree; without one it has nothing to check there. */
	readonly project?: string;
	/** Whether it runs code of the tree, such as build scripts. */
	readonly runsCode: boolean;
	/** Its arguments for the files of a tree that it serves, in the root of the tree. */
	args(files: readonly string[]): readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/**
	Reads all that it printed.

	@returns `undefined` where it is nothing that this checker prints.
	*/
	read(output: CheckerOutput): readonly Diagnosis[] | undefined;
};

export type CheckerOutput = {
	/** The folder that the tree lies in. */
	readonly root: string;
	readonly stdout: string;
	readonly stderr: string;
};
