import {
	mkdir,
	readdir,
	readFile,
	readlink,
	realpath,
	rm,
	stat,
	symlink,
	unlink,
} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {z} from 'zod';
import {Failure} from '../../lib/failure.ts';
import {errorCode, ifThere, isThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {readJson} from '../../lib/text/json.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {copyIndex, withTemporaryIndex} from '../index-entries.ts';
import {joinNul, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {type Change, type newOf, type oldOf, sideOf} from '../tree/changes.ts';

/** The record of a move in the person's repository, for the process that recovers it after a kill. */
export type BegunMove = z.infer<typeof begunMove>;

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);

const begunMove = z.object({
	/** Becomes part of a path. */
	target: z.string().refine(name => name.split('/').every(part => /^[^.]/.test(part))),
	from: commit,
	to: commit,
	/** Time of its begin by the clock of the file system, which may be a server's. */
	since: z.iso.datetime(),
	/** Git dir of the checkout that moves along, relative to the common one, since both may be renamed; absent if the branch isn't checked out. */
	gitDir: z
		.string()
		.regex(/^(?:\.|worktrees\/[^/]+)$/)
		.optional(),
});

/** Returns the folder of a move in progress. */
export const folderOf = ({commonDir}: Repository): string => join(commonDir, folderName);

const folderName = 'delegate-move';

const recordIn = (folder: string): string => join(folder, 'move.json');

/** Records a move before it starts. */
export const beginMove = async (
	repository: Repository,
	{
		checkout,
		...move
	}: Omit<BegunMove, 'gitDir' | 'since'> & {readonly checkout?: Checkout | undefined},
): Promise<void> => {
	const folder = folderOf(repository);
	const gitDir = checkout && (await seenFrom(repository.commonDir, checkout.gitDir));
	await rm(folder, {recursive: true, force: true});
	await mkdir(folder);
	const since = (await stat(folder)).ctime;
	await writeAtomically(recordIn(folder), JSON.stringify({...move, since, gitDir}));
};

const seenFrom = async (commonDir: string, gitDir: string): Promise<string> =>
	relative(await realpath(commonDir), await realpath(gitDir)) || '.';

/** Copies the index of a checkout. If it has none, as after `git clone --no-checkout`, the copy is empty: without one, git would write all files. */
export const copyIndexOf = async ({root, gitDir}: Checkout, to: string): Promise<void> => {
	if (!(await copyIndex(join(gitDir, 'index'), to))) {
		await user(root, ['read-tree', '--empty'], {index: to});
	}
};

/** Removes the record of a completed move. */
export const endMove = async (
	repository: Repository,
	checkout?: Pick<Checkout, 'gitDir'>,
): Promise<void> => {
	await letIndexGo(checkout);
	await rm(folderOf(repository), {recursive: true, force: true});
};

/**
Takes `index.lock` of a checkout as git does, so that no command of the person's changes index or HEAD meanwhile; returns whether it succeeded.

It is a symbolic link with our name: created atomically, and different from git's. The recovery of a killed move takes it over.
*/
export const holdIndex = async ({gitDir}: Checkout): Promise<boolean> => {
	try {
		await symlink(folderName, lockOf(gitDir));
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') {
			return isHeld(gitDir);
		}

		throw error;
	}
};

/** Releases `index.lock`, if it is ours. */
export const letIndexGo = async (checkout: Pick<Checkout, 'gitDir'> | undefined): Promise<void> => {
	if (checkout !== undefined && (await isHeld(checkout.gitDir))) {
		await unlink(lockOf(checkout.gitDir));
	}
};

const isHeld = (gitDir: string): Promise<boolean> =>
	readlink(lockOf(gitDir)).then(
		target => target === folderName,
		() => false,
	);

const lockOf = (gitDir: string): string => join(gitDir, 'index.lock');

/**
Returns the recorded move, if any.

@throws `Failure` if the record can't be read.
*/
export const readBegunMove = async (repository: Repository): Promise<BegunMove | undefined> => {
	const path = recordIn(folderOf(repository));
	const text = await ifThere(readFile(path, 'utf8'));
	if (text === undefined) {
		return undefined;
	}

	const read = begunMove.safeParse(readJson(text));
	if (!read.success) {
		throw new Failure('refused', `${path} doesn’t say which move it was.`);
	}

	return read.data;
};

export const isBegun = (repository: Repository): Promise<boolean> =>
	isThere(recordIn(folderOf(repository)));

/** Returns the command with which a person gives up a recorded move: it removes its folder and the index locks. */
export const givingUp = async (repository: Repository): Promise<string> => {
	const {commonDir} = repository;
	const names = (await ifThere(readdir(join(commonDir, 'worktrees')))) ?? [];
	const held: string[] = [];
	for (const gitDir of [commonDir, ...names.map(name => join(commonDir, 'worktrees', name))]) {
		held.push(...((await isHeld(gitDir)) ? [lockOf(gitDir)] : []));
	}

	const left = (await isBegun(repository)) ? [folderOf(repository), ...held] : held;
	return `rm -r ${left.map(inShell).join(' ')}`;
};

/** Returns the paths whose files differ from one side of the changes, or don't exist. Git compares them, with a temporary index, so that filters, line endings, links and modes count as they do for the person. */
export const differing = (
	store: Store,
	root: string,
	changes: readonly Change[],
	side: typeof oldOf | typeof newOf,
): Promise<ReadonlySet<string>> =>
	withTemporaryIndex(store, async index => {
		const lines = sideOf(changes, side).map(([path, {mode, oid}]) => `${mode} ${oid}\t${path}`);
		await user(root, ['update-index', '-z', '--index-info'], {index, input: joinNul(lines)});
		await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
		const {stdout} = await user(root, ['diff-files', '-z', '--name-only'], {index});
		return new Set(splitNul(stdout));
	});
