import {asGlob} from './glob.ts';

/** A member package of a workspace. */
export type WorkspacePackage = {
	/** Tool of the workspace; npm and yarn describe theirs alike. */
	readonly of: 'npm' | 'pnpm' | 'cargo' | 'go' | 'uv';
	/** Name under which others import or install it. */
	readonly name: string;
	/** Empty for the root. */
	readonly folder: string;
	/** Entry points of the package in its manifest. */
	readonly entries: readonly string[];
};

/** Prefix of a package's name in place of its folder, in lists of folders or globs. */
export const packagePrefix = 'package:';

/** Replaces the names of packages in globs by globs for their folders; unknown names stay. */
export const withFolders = (
	globs: readonly string[],
	packages: readonly WorkspacePackage[] = [],
): readonly string[] =>
	globs.map(glob => {
		const folder = packageFolder(glob, packages);
		return folder === undefined ? glob : folder === '' ? '**' : `${asGlob(folder)}/**`;
	});

/** Returns the folder of a package that is given by its name. */
export const packageFolder = (
	written: string,
	packages: readonly WorkspacePackage[],
): string | undefined =>
	written.startsWith(packagePrefix)
		? packages.find(({name}) => name === written.slice(packagePrefix.length))?.folder
		: undefined;
