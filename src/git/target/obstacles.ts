import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../lib/files/reading.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {missingFilterHint, missingFilters} from '../filters/missing-filters.ts';
import type {Obstacle} from '../process/at-work.ts';
import {expectCode, type GitResult, lineOf, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import {
	type Checkout,
	checkoutAt,
	ignoredAmong,
	type Worktree,
	worktrees,
} from '../repository/checkouts.ts';
import {goalOf, type Repository, refOf} from '../repository/repository.ts';
import {findUnwritable} from '../repository/unwritable-paths.ts';
import type {Change} from '../tree/changes.ts';
import {blockerAbove, entryOnDisk} from '../tree/disk-path.ts';

type CheckoutMove = {
	readonly repository: Repository;
	readonly checkout: Checkout;
	readonly target: string;
	readonly changed: readonly Change[];
	readonly what: 'merge' | 'undo';
};

type Look = (move: CheckoutMove) => Promise<Obstacle | undefined>;

/** Returns the first obstacle to a move of a checkout; changes nothing. */
export const findObstacle: Look = async move => {
	for (const look of looks) {
		const found = await look(move);
		if (found !== undefined) {
			return found;
		}
	}

	return undefined;
};

/** Git notices only in the middle of a checkout that it can't write in a folder: it warns, continues, and exits with 0. */
const unwritableFolder: Look = async ({checkout: {root}, changed, what}) => {
	const unwritable = await findUnwritable(root, changed);
	const [first] = unwritable.values();
	if (first === undefined) {
		return undefined;
	}

	const {because} = first;
	const alike = [...unwritable].filter(([, barrier]) => barrier.because === because);
	const [folder = '', ...more] = new Set(alike.map(([, barrier]) => barrier.folder));
	const where = join(root, folder);
	const paths = alike.map(([path]) => path);
	const [reason, hint] =
		because === 'rights'
			? [
					`you have no right to write in the folder ${where}`,
					`Give yourself that right (chmod u+rwx ${where}, if it is yours), then try again.`,
				]
			: [
					`the file system of the folder ${where} is read-only`,
					`Mount it so that it can be written; findmnt --target ${where} shows which it is. Then try again.`,
				];
	const others = more.length === 0 ? '' : ` (nor in ${more.join(', ')})`;
	return {
		cause: 'other',
		message: `The ${what} changes ${fileCount(paths)} where nothing may be written: ${reason}${others}.`,
		hint,
		paths,
	};
};

const headLock: Look = ({checkout}) => lockObstacle(checkout.gitDir, 'HEAD.lock');

/** Returns an obstacle if a running or killed git holds a lock of the branch. */
export const branchLock = ({
	repository,
	target,
}: Pick<CheckoutMove, 'repository' | 'target'>): Promise<Obstacle | undefined> =>
	lockObstacle(repository.commonDir, `${refOf(target)}.lock`);

const unmergedOrDirty: Look = async ({checkout: {root}, changed, what}) => {
	const status = await statusOf(root);
	if ('missing' in status) {
		return status.missing;
	}

	const {dirty, unmerged} = status;
	if (unmerged.length > 0) {
		return {...inProgress('merge with conflicts', root), paths: unmerged};
	}

	const changedPaths = new Set(changed.map(({path}) => path));
	const paths = dirty.filter(path => changedPaths.has(path));
	return paths.length === 0
		? undefined
		: {
				cause: 'dirty-checkout',
				message: `${root} has uncommitted changes in ${fileCount(paths)} that the ${what} changes, too.`,
				hint: 'Commit or stash them, then try again.',
				paths,
			};
};

type Status = {readonly dirty: readonly string[]; readonly unmerged: readonly string[]};

/** Parses `1 <8 fields> <path>` for a change, `u <10 fields> <path>` for a conflict. */
const statusOf = async (root: string): Promise<Status | {readonly missing: Obstacle}> => {
	const args = [
		'--no-optional-locks',
		'status',
		'--porcelain=v2',
		'-z',
		'--no-renames',
		'--untracked-files=no',
		'--ignore-submodules=dirty',
	];
	const result = await user(root, args, {expect: 'any'});
	const missing = result.code === 0 ? undefined : await missingFilter(root);
	if (missing !== undefined) {
		return {missing};
	}

	const records = splitNul(expectCode(args, result).stdout);
	const pathsOf = (tag: string, fields: number): string[] =>
		records
			.filter(record => record.startsWith(`${tag} `))
			.map(record => record.split(' ').slice(fields).join(' '));
	return {dirty: pathsOf('1', 8), unmerged: pathsOf('u', 10)};
};

/** Returns an obstacle if a filter can't be started: git needs it to detect changes, and only reports a broken pipe. */
const missingFilter = async (root: string): Promise<Obstacle | undefined> => {
	const filter = (await missingFilters(root)).find(({program}) => program !== undefined);
	return filter === undefined
		? undefined
		: {
				cause: 'other',
				message: `Git can’t tell whether your checkout is clean: the program ${filter.program} of your filter ${filter.name} is not installed.`,
				hint: missingFilterHint(filter),
				paths: filter.paths,
			};
};

const untrackedFile: Look = async ({checkout: {root}, changed, what}) => {
	const clashes = await findClashes(root, changed);
	if (clashes.length === 0) {
		return undefined;
	}

	const ignored = await ignoredAmong(
		(args, input) => user(root, args, {input, expect: [0, 1]}),
		clashes,
	);
	const untracked = clashes.filter(path => !ignored.has(path));
	const [cause, word, paths] =
		untracked.length > 0
			? (['untracked-files', 'untracked', untracked] as const)
			: (['ignored-files', 'ignored', [...ignored]] as const);
	return {
		cause,
		message: `The ${what} brings ${fileCount(paths)} where your checkout has ${word} ones.`,
		hint: 'Move them away, then try again.',
		paths,
	};
};

/** Returns the untracked and ignored files at paths that the changes add. */
const findClashes = async (root: string, changes: readonly Change[]): Promise<string[]> => {
	const leaving = new Set(changes.filter(({status}) => status === 'D').map(({path}) => path));
	const added = changes.filter(({status}) => status === 'A').map(({path}) => path);
	const clashes = new Set<string>();
	for (const path of added) {
		const blocker = await blockerAbove(root, path);
		for (const one of blocker === undefined ? await strangersAt(root, path) : [blocker]) {
			if (!leaving.has(one)) {
				clashes.add(one);
			}
		}
	}

	return [...clashes];
};

/** Returns the untracked file at a path, or those below it if it is a folder. */
export const strangersAt = async (root: string, path: string): Promise<string[]> => {
	const entry = await entryOnDisk(root, path);
	if (entry === undefined || !entry.isDirectory()) {
		return entry === undefined ? [] : [path];
	}

	if (!path.isWellFormed()) {
		return [path];
	}

	const {stdout} = await user(root, [
		'--literal-pathspecs',
		'ls-files',
		'-z',
		'--others',
		'--',
		path,
	]);
	return splitNul(stdout);
};

/** Files in the git dir that mark an unfinished command. */
const marks: Readonly<Record<string, string>> = {
	MERGE_HEAD: 'merge',
	CHERRY_PICK_HEAD: 'cherry-pick',
	REVERT_HEAD: 'revert',
	'rebase-merge': 'rebase',
	'rebase-apply': 'rebase',
	BISECT_LOG: 'bisect',
};

const unfinishedCommand: Look = async ({checkout: {root, gitDir}}) => {
	for (const [name, command] of Object.entries(marks)) {
		if ((await entryOnDisk(gitDir, name)) !== undefined) {
			return inProgress(command, root);
		}
	}

	return undefined;
};

const inProgress = (command: string, root: string): Obstacle => ({
	cause: 'in-progress',
	message: `A ${command} is in progress in ${root}.`,
	hint: `Finish or abort the ${command}, then try again.`,
});

const lockObstacle = async (gitDir: string, name: string): Promise<Obstacle | undefined> =>
	(await entryOnDisk(gitDir, name)) === undefined ? undefined : locked(`${gitDir}/${name}`);

export const heldIndex = ({gitDir}: Checkout): Obstacle => locked(`${gitDir}/index.lock`);

const locked = (path: string): Obstacle => ({
	cause: 'locked',
	message: `Another git command is at work here, or was killed: ${path} exists.`,
	hint: 'Let it finish, then try again; if no git is running, remove the file.',
});

export const fileCount = (paths: readonly string[]): string =>
	paths.length === 1 ? 'one file' : `${paths.length} files`;

/** Returns why a branch can never be moved in the worktree that has it checked out. It is called at the session's start, so that work that can't be merged isn't started; temporary obstacles are reported by the move itself. */
export const findHolderObstacle = async (
	repository: Repository,
	branch: string,
): Promise<Obstacle | undefined> => {
	const holder = await holderOf(repository, await goalOf(repository, branch));
	return holder !== undefined && 'obstacle' in holder && holder.isLasting
		? holder.obstacle
		: undefined;
};

/** Worktree that has a branch checked out: a move either takes it along, or it is an obstacle; a lasting one stays until the person changes their worktrees. */
type Holder =
	| {readonly checkout: Checkout}
	| {readonly obstacle: Obstacle; readonly isLasting: boolean};

/** Finds the worktree that has a branch checked out, if any. */
export const holderOf = async (
	repository: Repository,
	branch: string,
): Promise<Holder | undefined> => {
	const holders: {readonly where: string; readonly holder: Holder}[] = [];
	for (const worktree of await worktrees(repository)) {
		const {root} = worktree;
		const holder = await holderIn(repository, worktree, branch);
		if (holder !== undefined && 'obstacle' in holder && holder.obstacle.cause === 'in-progress') {
			return holder;
		}

		const where = root === repository.commonDir ? `the checkout of ${root}` : root;
		holders.push(...(holder === undefined ? [] : [{where, holder}]));
	}

	const [first, ...others] = holders;
	return others.length === 0
		? first?.holder
		: {
				isLasting: true,
				obstacle: {
					cause: 'other',
					message: `${branch} is checked out in ${holders.map(({where}) => where).join(' and in ')}; if it moved in one, the other would show the merge as reverted.`,
					hint: `Leave it in one of them: git switch --detach in the other (git worktree prune, if its folder is gone)`,
				},
			};
};

const holderIn = async (
	repository: Repository,
	{root, branch, isBare}: Worktree,
	target: string,
): Promise<Holder | undefined> => {
	if (isBare) {
		return undefined;
	}

	const {commonDir} = repository;
	const isHeld = branch === refOf(target);
	if (root === commonDir) {
		return isHeld ? {isLasting: true, obstacle: namelessHolder(target, commonDir)} : undefined;
	}

	if ((await entryOnDisk(root, '.git')) === undefined) {
		return isHeld ? {isLasting: false, obstacle: goneHolder(root)} : undefined;
	}

	const checkout = await checkoutAt(repository, root);
	if (isHeld) {
		return checkout === undefined
			? {isLasting: true, obstacle: replacedHolder(root, commonDir)}
			: {checkout};
	}

	return checkout !== undefined && (await isRebasing(checkout.gitDir, refOf(target)))
		? {isLasting: false, obstacle: inProgress('rebase', root)}
		: undefined;
};

/** Returns whether an unfinished rebase will write the branch. */
const isRebasing = async (gitDir: string, ref: string): Promise<boolean> => {
	const names = await Promise.all(
		['rebase-merge', 'rebase-apply'].map(folder => firstLine(join(gitDir, folder, 'head-name'))),
	);
	return names.includes(ref);
};

const firstLine = async (path: string): Promise<string | undefined> =>
	(await ifThere(readFile(path, 'utf8')))?.split('\n')[0];

const goneHolder = (root: string): Obstacle => ({
	cause: 'other',
	message: `The branch is checked out in ${root}, and that folder is gone.`,
	hint: 'Bring the folder back, or let git forget it: git worktree prune',
});

const replacedHolder = (root: string, commonDir: string): Obstacle => ({
	cause: 'other',
	message: `The branch is checked out in ${root}, and no checkout of this repository is there.`,
	hint: `If another repository has taken its place, remove the folder of the file that this prints, so that git forgets it: grep -l ${inShell(root)} ${inShell(commonDir)}/worktrees/*/gitdir`,
});

const namelessHolder = (target: string, gitDir: string): Obstacle => ({
	cause: 'other',
	message: `${target} is checked out in the main checkout of ${gitDir}, and git keeps no note of where that is.`,
	hint: `Start there, or tell git its folder: git --git-dir=${inShell(gitDir)} config core.worktree FOLDER`,
});

/** Returns an obstacle if the person has switched a checkout to another branch meanwhile. */
export const switchedAway = async ({
	checkout: {root},
	target,
}: Pick<CheckoutMove, 'checkout' | 'target'>): Promise<Obstacle | undefined> => {
	const head = await user(root, ['symbolic-ref', '--quiet', 'HEAD'], {expect: [0, 1]});
	return lineOf(head) === refOf(target)
		? undefined
		: {
				cause: 'other',
				message: `${root} was switched away from ${target} just now.`,
				hint: 'Try again.',
			};
};

/** Checks for obstacles to a move of a checkout, with causes before their symptoms. */
const looks: readonly Look[] = [
	unwritableFolder,
	headLock,
	unfinishedCommand,
	unmergedOrDirty,
	untrackedFile,
	branchLock,
	switchedAway,
];

/** Returns a hint if git had no permission to write. */
export const unwritableHint = ({stderr}: GitResult): string | undefined => {
	if (/read-only file system/i.test(stderr)) {
		return 'Your repository is on a file system that is mounted read-only; mount it so that it can be written, then try again.';
	}

	return /permission denied|insufficient permission/i.test(stderr)
		? 'See whose .git/objects and .git/refs are, and that you may write there, then try again.'
		: undefined;
};
