import {posix} from 'node:path';
import {cargo} from './cargo.ts';
import type {Ecosystem} from './ecosystem.ts';
import {goModules} from './go-modules.ts';
import {npm} from './npm.ts';
import {pypi} from './pypi.ts';

const ecosystems: readonly Ecosystem[] = [npm, pypi, goModules, cargo];

/** Returns whose manifest a file is, by its path. */
export const ecosystemOf = (path: string): Ecosystem | undefined =>
	ecosystems.find(({manifests}) => manifests.test(path));

/** Returns whether a manifest is one of those that count for a file: it lies beside it or in a folder above. */
export const governs = (manifest: string, path: string): boolean => {
	const folder = posix.dirname(manifest);
	return folder === '.' || path.startsWith(`${folder}/`);
};

/** Returns the part of a version that changes with what a package is no longer compatible with; empty where none is said. */
export const majorOf = (version: string): string => {
	const [, major = '', minor = ''] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
	return major === '0' ? `0.${minor}` : major;
};
