import {mkdir, readdir, readFile, readlink, realpath, rm, symlink, unlink} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {z} from 'zod';
import {Failure} from '../../lib/failure.ts';
import {errorCode, ifThere, isThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {readJson} from '../../lib/text/json.ts';
import {withTemporaryIndex} from '../index-entries.ts';
import {joinNul, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {type Change, type newOf, type oldOf, sideOf} from '../tree/changes.ts';

/** What is written down of a move in the person's repository while it lasts, so that whoever comes after a kill knows what was begun, and where. */
export type BegunMove = z.infer<typeof begunMove>;

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);

const begunMove = z.object({
	/** Name of the branch; it becomes part of a path. */
	target: z.string().refine(name => name.split('/').every(part => /^[^.]/.test(part))),
	from: commit,
	to: commit,
	/** When it was begun, ISO 8601. */
	since: z.iso.datetime(),
	/** The git folder of the checkout that is moved along, as seen from the common one, since both may be moved elsewhere; nothing where the branch is checked out nowhere. */
	gitDir: z
		.string()
		.regex(/^(?:\.|worktrees\/[^/]+)$/)
		.optional(),
});

/** The folder of a move, which goes when it is over. */
export const folderOf = ({commonDir}: Repository): string => join(commonDir, folderName);

const folderName = 'delegate-move';

const recordIn = (folder: string): string => join(folder, 'move.json');

/** Writes down what is about to be moved. */
export const beginMove = async (
	repository: Repository,
	{checkout, ...move}: Omit<BegunMove, 'gitDir'> & {readonly checkout?: Checkout | undefined},
): Promise<void> => {
	const folder = folderOf(repository);
	const gitDir = checkout && (await seenFrom(repository.commonDir, checkout.gitDir));
	await rm(folder, {recursive: true, force: true});
	await mkdir(folder);
	await writeAtomically(recordIn(folder), JSON.stringify({...move, gitDir}));
};

const seenFrom = async (commonDir: string, gitDir: string): Promise<string> =>
	relative(await realpath(commonDir), await realpath(gitDir)) || '.';

/** Forgets a move of which nothing is left to be done. */
export const endMove = async (
	repository: Repository,
	checkout?: Pick<Checkout, 'gitDir'>,
): Promise<void> => {
	await letIndexGo(checkout);
	await rm(folderOf(repository), {recursive: true, force: true});
};

/**
Takes the lock of a checkout's index as git does, so that no command of the person's changes its index, or what it is switched to, meanwhile; returns whether it is ours.

It is a link to say whose it is: made in one go, and never taken for one of git's. A move that was killed has left it to the next.
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

/** Lets the person's commands at their index again. */
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
Returns the move that was begun and not ended, if there is one.

@throws `Failure` where it can't be told which.
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

/** Whether a move was begun and not ended. */
export const isBegun = (repository: Repository): Promise<boolean> =>
	isThere(recordIn(folderOf(repository)));

/** Returns the folder of a move that was begun and not ended, and each lock of an index that it holds: what a person removes who gives it up. */
export const leftOf = async (repository: Repository): Promise<readonly string[]> => {
	const {commonDir} = repository;
	const names = (await ifThere(readdir(join(commonDir, 'worktrees')))) ?? [];
	const held: string[] = [];
	for (const gitDir of [commonDir, ...names.map(name => join(commonDir, 'worktrees', name))]) {
		held.push(...((await isHeld(gitDir)) ? [lockOf(gitDir)] : []));
	}

	return (await isBegun(repository)) ? [folderOf(repository), ...held] : held;
};

/**
Returns the paths whose files differ from one side of the changes, or aren't there.

Git itself compares, on an index made for it, so that filters, line endings, links and modes count as they do for the person.
*/
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
