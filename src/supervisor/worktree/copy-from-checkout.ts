import {chmod, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Subtask} from '../../events/plan.ts';
import {lineOf, splitNul} from '../../git/process/result.ts';
import {user} from '../../git/process/user.ts';
import {diskPath, entryOnDisk, isBelowFolders, isFileAt} from '../../git/tree/disk-path.ts';
import {layOutSubmodules} from '../../git/worktree/submodules.ts';
import {Failure} from '../../lib/failure.ts';
import {copyApart} from '../../lib/files/copy-apart.ts';
import {isThere} from '../../lib/files/reading.ts';
import {filesNamedBy} from '../../rules/plan/check.ts';
import {fillInAll} from '../../rules/plan/slot-variables.ts';
import type {Session} from '../../state/state.ts';
import type {World} from '../world.ts';

/**
Copies the files under `copy` in the plan into a worktree, from the checkout in which the session was started, even if this supervisor was started in another.

@throws `Failure` that names the path that could not be copied
*/
export const copyFromCheckout = async (
	{slots}: Pick<World, 'slots'>,
	{plan, repository: {root}}: Session,
	tree: string,
): Promise<void> => {
	for (const entry of plan.copy) {
		const {from, set = {}} = typeof entry === 'string' ? {from: entry} : entry;
		await copyOne(root, tree, from, 'it is listed under "copy" in the plan');
		if (Object.keys(set).length > 0) {
			const values = fillInAll(set, await slots.variablesOf(tree));
			await writeFile(
				join(tree, from),
				withValues(await readFile(join(tree, from), 'utf8'), values),
			);
		}
	}
};

/** Writes the files of a commit's submodules into a worktree, unless `setup` has git fetch them: that needs empty folders. */
export const bringSubmodules = async (
	{store}: Pick<World, 'store'>,
	{plan}: Session,
	{tree, commit}: {readonly tree: string; readonly commit: string},
): Promise<void> => {
	if (!plan.setup.some(command => /\bgit\b.*\bsubmodule\b/.test(command))) {
		await layOutSubmodules(store, tree, commit);
	}
};

/**
Copies uncommitted changes of the person's checkout into a new worktree: changed, removed and added files, but not ignored ones. Links and submodules stay as they are in the commit.

@throws `Failure` if the checkout is at another commit, whose differences would count as changes too
*/
export const bringUncommitted = async (
	{repository: {root}}: Session,
	{tree, commit}: {readonly tree: string; readonly commit: string},
): Promise<void> => {
	if (lineOf(await user(root, ['rev-parse', 'HEAD'])) !== commit) {
		throw new Failure(
			'refused',
			'Uncommitted changes can’t be copied: your checkout is at another commit than the agent’s base.',
			{hint: 'switch to the target there, or remove `uncommitted`'},
		);
	}

	const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
	const {stdout} = await user(root, ['--no-optional-locks', ...status, '--ignore-submodules=all']);
	for (const path of splitNul(stdout).map(record => record.slice('XY '.length))) {
		const entry = await entryOnDisk(root, path);
		if (entry?.isFile()) {
			await copyOne(root, tree, path, 'remove `uncommitted`, or commit it');
		} else if ((entry?.isDirectory() ?? true) && (await isFileAt(tree, path))) {
			await rm(diskPath(tree, path));
		}
	}
};

/** Sets variables in a file of lines `NAME=value` such as `.env`; appends those that it doesn't contain. */
const withValues = (text: string, values: Readonly<Record<string, string>>): string => {
	const missing = new Map(Object.entries(values));
	const lines = text.split('\n').map(line => {
		const [, begin = '', name = ''] = /^(\s*(?:export\s+)?([^\s=#]+)\s*=)/.exec(line) ?? [];
		missing.delete(name);
		return Object.hasOwn(values, name) ? `${begin}${values[name]}` : line;
	});
	const end = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
	return `${[...end, ...[...missing].map(([name, value]) => `${name}=${value}`)].join('\n')}\n`;
};

/**
Copies the files that a subtask names and its worktree lacks, read-only: a behavior file, inputs and pictures that the person never committed, or not in this base.

A file that isn't in the checkout either is one that another agent will make.

@returns the paths that were copied
@throws `Failure` that names the path that could not be copied
*/
export const copyNamed = async (
	{repository: {root}}: Session,
	tree: string,
	subtask: Subtask,
): Promise<readonly string[]> => {
	const copied: string[] = [];
	for (const path of filesNamedBy(subtask)) {
		if (!(await isThere(join(tree, path))) && (await isThere(join(root, path)))) {
			await copyOne(root, tree, path, `${subtask.id} is to read it`);
			await withoutWriting(join(tree, path));
			copied.push(path);
		}
	}

	return copied;
};

const withoutWriting = async (file: string): Promise<void> => {
	const entry = await stat(file);
	if (entry.isFile()) {
		await chmod(file, entry.mode & 0o555);
	}
};

const copyOne = async (root: string, tree: string, path: string, why: string): Promise<void> => {
	if (!(await isThere(root))) {
		throw new Failure('missing', `${path} could not be copied: your checkout ${root} is gone.`, {
			hint: 'The session was started there; create a checkout in its place ("git worktree add").',
		});
	}

	if (!(await isBelowFolders(tree, path))) {
		throw new Failure('refused', `${path} is not copied: its folder is a link in the repository.`, {
			hint: 'list it under "copy" by the folder that the link leads to',
		});
	}

	try {
		await copyApart({from: root, to: tree}, path);
	} catch (error) {
		const cause = error instanceof Failure ? `: ${error.message}` : '.';
		throw new Failure('missing', `${path} could not be copied from your checkout${cause}`, {
			hint: why,
			cause: error,
		});
	}
};
