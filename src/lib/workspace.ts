import {asGlob} from './glob.ts';

/** A package that a workspace has among its members. */
export type WorkspacePackage = {
	/** The tool whose workspace it is; npm and yarn describe theirs alike. */
	readonly of: 'npm' | 'pnpm' | 'cargo' | 'go' | 'uv';
	/** As others import or install it. */
	readonly name: string;
	/** Empty for the root. */
	readonly folder: string;
	/** Modules that stand for the package, as its manifest names them. */
	readonly entries: readonly string[];
};

/** How a package stands for its folder where folders or globs are written. */
export const packagePrefix = 'package:';

/** Returns globs in which each package by its name is a glob for its folder; unknown ones stay. */
export const withFolders = (
	globs: readonly string[],
	packages: readonly WorkspacePackage[] = [],
): readonly string[] =>
	globs.map(glob => {
		const folder = packageFolder(glob, packages);
		return folder === undefined ? glob : folder === '' ? '**' : `${asGlob(folder)}/**`;
	});

/** Returns the folder of a package that is written by its name. */
export const packageFolder = (
	written: string,
	packages: readonly WorkspacePackage[],
): string | undefined =>
	written.startsWith(packagePrefix)
		? packages.find(({name}) => name === written.slice(packagePrefix.length))?.folder
		: undefined;
