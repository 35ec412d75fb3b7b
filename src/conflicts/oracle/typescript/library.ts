import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {API} from 'typescript/unstable/async';

/** TypeScript as a library, from version 7 on. */
export type Library = {readonly version: string; readonly API: typeof API};

/**
Returns the project's own TypeScript if it is new enough, else the one that came with us, else nothing.

Its interface for programs is called unstable by its makers, so it is used in this folder alone and ours is of one exact version. A project's own that turns out to be different is as good as none.
*/
export const findLibrary = async (checkout: string | undefined): Promise<Library | undefined> =>
	(checkout === undefined ? undefined : await ownOf(checkout)) ?? (await ours());

const ownOf = async (checkout: string): Promise<Library | undefined> => {
	const folder = join(checkout, 'node_modules/typescript');
	const {version} = await readFile(join(folder, 'package.json'), 'utf8').then(
		text => JSON.parse(text) as {version?: string},
		() => ({version: undefined}),
	);
	if (version === undefined || Number.parseInt(version, 10) < firstMajor) {
		return;
	}

	return load(version, pathToFileURL(join(folder, 'dist/api/async/api.js')).href);
};

const firstMajor = 7;

const ours = async (): Promise<Library | undefined> => {
	const name = 'typescript';
	const {version} = await import(name).catch(() => ({version: undefined}));
	return version === undefined ? undefined : load(version, `${name}/unstable/async`);
};

const load = async (version: string, specifier: string): Promise<Library | undefined> => {
	const {API} = await import(specifier).catch(() => ({API: undefined}));
	return typeof API === 'function' ? {version, API} : undefined;
};
