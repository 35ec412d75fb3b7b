import {createHash} from 'node:crypto';
import {lstatSync} from 'node:fs';
import {mkdir, rename, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {isAbsence} from '../../lib/files/reading.ts';
import {sealed} from '../process/sealed.ts';
import {type Borrowed, createBare} from './borrowed.ts';

/** A bare repository and the one worktree that hangs off it. */
export type LinkedTree = {
	readonly gitDir: string;
	readonly tree: string;
};

export type LinkedTreeParts = {
	readonly folder: string;
	readonly borrowed: Borrowed;
	/** The commit to check out, on a new branch if one is named. */
	readonly commit: string;
	readonly branch?: string;
};

/**
Returns where the worktree of a folder lies: `shop-agt-001-7c2f41` for the folder of AGT-001 in a session of the repository `shop`.

Docker Compose, `npm init` and terminals name things by the last part of this path, so no other worktree on this machine has it, and it's made of what they accept. Where the folder holds a `tree`, that is its worktree: sessions of earlier versions and worktrees that were moved aside have that name.

@param before The name that earlier versions gave it.
*/
export const worktreePath = (folder: string, before = 'tree'): string => {
	const own = join(folder, worktreeName(folder));
	const plain = join(folder, before);
	return !isEntry(own) && isEntry(plain) ? plain : own;
};

const isEntry = (path: string): boolean => {
	try {
		return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
	} catch (error) {
		// Nothing lies in what is no folder.
		if (isAbsence(error)) {
			return false;
		}

		throw error;
	}
};

/** A repository's folder is named after it, with digits; its sessions lie in there, and what has a worktree in those. */
const worktreeName = (folder: string): string => {
	const [, repository = '', inside = basename(folder)] =
		/([^/]+)-[\da-f]{12}\/(?:DEL-[^/]+\/)?(.+)$/.exec(folder) ?? [];
	const digest = createHash('sha256').update(folder).digest('hex').slice(0, 6);
	return `${repository.slice(0, 24)}-${inside}-${digest}`
		.toLowerCase()
		.replaceAll(/[^a-z\d]+/g, '-')
		.replace(/^-/, '');
};

/**
Makes `hub.git` and its worktree in a folder.

Both are made under `making` and renamed when complete, the worktree last. So a worktree that exists is whole, and nobody has worked in what a kill left.
*/
export const createLinkedTree = async (parts: LinkedTreeParts): Promise<LinkedTree> => {
	const {folder} = parts;
	const finished = {gitDir: join(folder, 'hub.git'), tree: worktreePath(folder)};
	if (isEntry(finished.tree)) {
		return finished;
	}

	if (!isEntry(finished.gitDir)) {
		await make(parts, finished);
		await rename(join(folder, 'making/hub.git'), finished.gitDir);
	} else if (!isEntry(join(folder, 'making/tree'))) {
		throw new Failure('missing', `The worktree ${finished.tree} was removed.`, {
			hint: 'Its last snapshot is kept; restore the agent from there.',
		});
	}

	await rename(join(folder, 'making/tree'), finished.tree);
	await rm(join(folder, 'making'), {recursive: true, force: true});
	return finished;
};

const make = async (parts: LinkedTreeParts, finished: LinkedTree): Promise<void> => {
	const making = join(parts.folder, 'making');
	const [gitDir, tree] = [join(making, 'hub.git'), join(making, 'tree')];
	await rm(making, {recursive: true, force: true});
	await mkdir(making, {recursive: true});
	await createBare(gitDir, parts.borrowed);
	await sealed({gitDir}, [
		'worktree',
		'add',
		'--quiet',
		'--lock',
		...(parts.branch === undefined ? ['--detach'] : ['-b', parts.branch]),
		tree,
		parts.commit,
	]);
	await link(making, finished);
};

/** Makes repository and worktree point at their final paths. */
const link = async (making: string, {gitDir, tree}: LinkedTree): Promise<void> => {
	await writeFile(join(making, 'tree/.git'), linkOf(gitDir));
	await writeFile(join(making, 'hub.git/worktrees/tree/gitdir'), `${tree}/.git\n`);
};

export const linkedFolder = (gitDir: string): string => join(gitDir, 'worktrees/tree');

export const linkOf = (gitDir: string): string => `gitdir: ${linkedFolder(gitDir)}\n`;
