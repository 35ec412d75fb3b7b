import type {Import, LanguageName} from '../../source/facts.ts';

/** A package that a manifest asks for. */
export type Wanted = {
	readonly name: string;
	/** As it is written; empty where none is. */
	readonly version: string;
	/** Counted from 1. */
	readonly line: number;
};

/** How a family of languages names the packages of others. */
export type Ecosystem = {
	readonly languages: readonly LanguageName[];
	/** Paths of files that ask for packages. */
	readonly manifests: RegExp;
	/** Returns what a manifest asks for; `undefined` where it can't be read. */
	readonly read: (path: string, lines: readonly string[]) => readonly Wanted[] | undefined;
	/** Files that may ask for a package in a way that is not read. */
	readonly unclear?: RegExp;
	/** Whether an import brings something of a package. */
	readonly isFrom: (imported: Import, name: string) => boolean;
};
