import {lstat, readlink, realpath, stat} from 'node:fs/promises';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {diskFailure, errorCode} from '../../lib/files/disk-failure.ts';

/**
Returns the file that a path in a checkout leads to, so that a link in its place, or above it, stays a link.

@throws `Failure` of kind `refused` when it leads out of the checkout, into git's own folder or nowhere, and when something stands there that is no file.
*/
export const realPathIn = async (root: string, path: string): Promise<string> => {
	const file = await follow(join(root, path)).catch(error => {
		throw nowhere(path, error);
	});
	const inside = relative(await realpath(root), file).split('/');
	if (inside[0] === '..') {
		throw refused(path, `a link leads out of your repository, to ${file}`);
	}

	if (inside.some(name => name.toLowerCase() === '.git')) {
		throw refused(path, `a link leads into git’s own folder, to ${file}`);
	}

	const entry = await stat(file).catch(unlessAbsent);
	if (entry !== undefined && !entry.isFile()) {
		throw refused(
			path,
			`${entry.isDirectory() ? 'a folder' : 'something'} stands in its place that is no file`,
		);
	}

	return file;
};

/** Follows links to where they end, also where nothing is there yet. */
const follow = async (path: string): Promise<string> => {
	const real = await realpath(path).catch(unlessAbsent);
	if (real !== undefined) {
		return real;
	}

	const file = join(await follow(dirname(path)), basename(path));
	const entry = await lstat(file).catch(unlessAbsent);
	return entry?.isSymbolicLink() ? follow(resolve(dirname(file), await readlink(file))) : file;
};

const unlessAbsent = (error: unknown): undefined => {
	if (errorCode(error) !== 'ENOENT') {
		throw error;
	}
};

const nowhere = (path: string, error: unknown): Failure => {
	const code = errorCode(error);
	if (code === 'ELOOP') {
		return refused(path, 'links lead in a circle');
	}

	return code === 'ENOTDIR'
		? refused(path, 'a file is where its folder should be')
		: diskFailure(`${path} could not be written`, error);
};

const refused = (path: string, why: string): Failure =>
	new Failure('refused', `${path} is not written: ${why}.`, {
		hint: 'put a file in its place, or turn the documents off with "docs: false" in the config',
	});
