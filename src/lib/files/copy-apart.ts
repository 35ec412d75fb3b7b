import {constants} from 'node:fs';
import {
	chmod,
	copyFile,
	lstat,
	mkdir,
	readdir,
	realpath,
	rm,
	stat,
	symlink,
	utimes,
} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import {Failure} from '../failure.ts';
import {decodePath, encodePath} from '../text/byte-path.ts';
import {errorCode} from './reading.ts';

/** A folder and its copy. */
export type Sides = {readonly from: string; readonly to: string};

/**
Copies a file or folder into another folder, so that writes to the copy never reach the original.

Files keep their times. A symbolic link becomes a link to the same path on the other side if that exists or is copied too; otherwise, and if `path` itself is a link, its target is copied. Dangling links, pipes and sockets are skipped.

@param path Relative to both folders; no folder above it may be a link on the other side.
@throws `Failure` of kind `refused` when a link leads to a folder that contains it, and system errors, for example when `path` doesn't exist
*/
export const copyApart = async ({from, to}: Sides, path: string): Promise<void> => {
	const sides = {from: await real(from), to: await real(to)};
	const copy = join(sides.to, path);
	await mkdir(disk(dirname(copy)), {recursive: true});
	await copyGoal([sides], await real(join(sides.from, path)), copy);
};

/** Copies a path without links; `sides` are the folders that are being copied, innermost last. */
const copyGoal = async (sides: readonly Sides[], from: string, to: string): Promise<void> => {
	const entry = await stat(disk(from));
	if (entry.isFile()) {
		await makeWay(to, false);
		await copyFile(disk(from), disk(to), constants.COPYFILE_FICLONE);
		// Otherwise a tool's cache would be newer than sources that it never saw.
		await utimes(disk(to), entry.atime, entry.mtime);
	} else if (entry.isDirectory()) {
		requireEnd(sides, {from, to});
		await makeWay(to, true);
		await mkdir(disk(to), {recursive: true});
		await copyAll([...sides, {from, to}], {from, to});
		await chmod(disk(to), (entry.mode & 0o777) | 0o700);
	}
};

/** Throws if a folder contains itself through a link: the copy would never end. */
const requireEnd = (sides: readonly Sides[], {from, to}: Sides): void => {
	if ([to, ...sides.map(side => side.from)].some(inner => isWithin(from, inner))) {
		throw new Failure('refused', `A link leads to ${from}, a folder that contains it.`);
	}
};

const copyAll = async (sides: readonly Sides[], {from, to}: Sides): Promise<void> => {
	const entries = await readdir(disk(from), {withFileTypes: true, encoding: 'buffer'});
	for (const entry of entries) {
		const name = decodePath(entry.name);
		const copy = join(to, name);
		await (entry.isSymbolicLink()
			? copyLink(sides, join(from, name), copy)
			: copyGoal(sides, join(from, name), copy));
	}
};

const copyLink = async (sides: readonly Sides[], link: string, to: string): Promise<void> => {
	const goal = await real(link).catch(unlessNowhere);
	if (goal === undefined) {
		return;
	}

	const copy = await otherSide(sides, goal);
	if (copy === undefined) {
		await copyGoal(sides, goal, to);
	} else {
		await makeWay(to, false);
		await symlink(disk(relative(dirname(to), copy) || '.'), disk(to));
	}
};

/** Returns a link's target on the other side, if its folder is being copied or exists there already. */
const otherSide = async (sides: readonly Sides[], goal: string): Promise<string | undefined> => {
	const [all, ...copied] = sides;
	const side = copied.findLast(({from}) => isWithin(from, goal));
	if (side !== undefined) {
		return join(side.to, relative(side.from, goal));
	}

	if (all === undefined || !isWithin(all.from, goal)) {
		return undefined;
	}

	const copy = join(all.to, relative(all.from, goal));
	const found = await real(copy).catch(unlessNowhere);
	return found === copy ? copy : undefined;
};

const isWithin = (folder: string, path: string): boolean =>
	path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Removes the entry in the way of a copy; a folder is merged into a folder. */
const makeWay = async (path: string, forFolder: boolean): Promise<void> => {
	const entry = await lstat(disk(path)).catch(unlessNowhere);
	if (entry !== undefined && !(entry.isDirectory() && forFolder)) {
		await rm(disk(path), {recursive: true});
	}
};

const real = async (path: string): Promise<string> =>
	decodePath(await realpath(disk(path), {encoding: 'buffer'}));

const disk = (path: string): Buffer => Buffer.from(encodePath(path));

const unlessNowhere = (error: unknown): undefined => {
	if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) {
		throw error;
	}
};
