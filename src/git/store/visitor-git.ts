import {randomUUID} from 'node:crypto';
import {
	chmod,
	lstat,
	mkdir,
	readdir,
	realpath,
	rename,
	rm,
	symlink,
	writeFile,
} from 'node:fs/promises';
import {basename, delimiter, join, relative} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {ifThere, succeeds} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {hooksOff} from '../process/hooks-off.ts';
import {lineOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import type {Repository} from '../repository/repository.ts';
import {borrowedFrom, createBare} from './borrowed.ts';
import {type LinkedTree, linkedFolder} from './linked-tree.ts';

/** Git settings for a person in an agent's worktree. */
export type VisitorGit = {
	/** Returns variables to add to an environment without git's locations. */
	readonly environment: (path: string) => Readonly<Record<string, string>>;
	readonly giveBack: () => Promise<void>;
};

/**
Lends a person who enters an agent's worktree a git that ignores the agent's configuration.

Any setting of the hub can start a program, and so can a hook, the todo list of an unfinished rebase, or the strategy of an unfinished cherry-pick. So refs, objects, logs and index stay in the hub, so that the agent can continue from the person's commit, and the folder of all other files (`GIT_COMMON_DIR`) is ours. A git without our environment, as in an editor that was open before, is redirected by the worktree's `commondir` too.

A repository inside the worktree has its own settings, and git enters one that is added regardless of our settings: `ignore` in `.gitmodules` takes precedence. So git's exec path contains a script in place of git that starts it for no other repository.

@param folder of the visit, which is ours
@throws `Failure` of kind `refused` if the hub contains a link: git would write to its target
*/
export const lendVisitorGit = async (
	repository: Repository,
	{gitDir: hub, tree, folder}: LinkedTree & {readonly folder: string},
): Promise<VisitorGit> => {
	await requireNoLinks(hub);
	const common = join(folder, 'git');
	await mkdir(folder, {recursive: true});
	const borrowed = await borrowedFrom(repository);
	await createBare(common, {...borrowed, config: new Map([...borrowed.config, ...quiet])});
	for (const name of shared) {
		await (name === packedRefs ? undefined : mkdir(join(hub, name), {recursive: true}));
		await rm(join(common, name), {recursive: true, force: true});
		await symlink(join(hub, name), join(common, name));
	}

	const own = {gitDir: linkedFolder(hub), common, tree: await realpath(tree)};
	const [programs, bin] = [join(folder, 'programs'), join(folder, 'bin')];
	await layPrograms(programs, lineOf(await sealed({gitDir: common}, ['--exec-path'])), own);
	await mkdir(bin);
	await symlink(join(programs, 'git'), join(bin, 'git'));
	await lead(hub, common);
	return {
		environment: path => ({
			GIT_DIR: own.gitDir,
			GIT_COMMON_DIR: common,
			GIT_WORK_TREE: own.tree,
			GIT_EXEC_PATH: programs,
			PATH: `${bin}${delimiter}${path}`,
		}),
		giveBack: async () => {
			await leadToHub(hub);
			await rm(folder, {recursive: true, force: true});
		},
	};
};

/**
Returns the folders of the repositories inside a worktree, including bare ones and folders that git would take for one.

A git without our environment that runs in one of them obeys its settings, which can start programs.
*/
export const repositoriesIn = async (tree: string): Promise<readonly string[]> => {
	const entries = await readdir(tree, {recursive: true, withFileTypes: true});
	const names = new Map<string, Set<string>>();
	for (const {parentPath, name} of entries) {
		names.set(parentPath, (names.get(parentPath) ?? new Set()).add(name.toLowerCase()));
	}

	return [...names]
		.filter(
			([folder, inside]) =>
				folder !== tree &&
				basename(folder).toLowerCase() !== '.git' &&
				(inside.has('.git') || ['head', 'objects', 'refs'].every(name => inside.has(name))),
		)
		.map(([folder]) => relative(tree, folder));
};

/** Redirects the worktree's git to its hub for everything; does nothing if a link in the hub makes the destination unclear. */
export const leadToHub = async (hub: string): Promise<void> => {
	if (await succeeds(requireNoLinks(hub))) {
		await lead(hub, undefined);
	}
};

const packedRefs = 'packed-refs';

/** Entries shared with the hub; git starts no program because of them. */
const shared = ['objects', 'refs', packedRefs, 'logs', 'lfs'];

const quiet = [
	...hooksOff,
	['core.fsmonitor', 'false'],
	['core.useReplaceRefs', 'false'],
	['diff.ignoreSubmodules', 'dirty'],
	['submodule.recurse', 'false'],
	['gc.auto', '0'],
	['maintenance.auto', 'false'],
] as const;

const requireNoLinks = async (hub: string): Promise<void> => {
	for (const name of [...shared, 'worktrees']) {
		const path = join(hub, name);
		const entry = await ifThere(lstat(path));
		const below = entry?.isDirectory()
			? await readdir(path, {recursive: true, withFileTypes: true})
			: [];
		const link = [...(entry === undefined ? [] : [Object.assign(entry, {name})]), ...below].find(
			one => one.isSymbolicLink() || one.isFIFO(),
		);
		if (link !== undefined) {
			throw new Failure('refused', `Git would follow the link ${link.name} in ${path}.`, {
				hint: 'no git is started in this worktree; delegate-tui diff shows the work',
			});
		}
	}
};

/** Redirects a worktree's git to another common directory; parks an unfinished rebase, cherry-pick or revert meanwhile. */
const lead = async (hub: string, common: string | undefined): Promise<void> => {
	const folder = linkedFolder(hub);
	await writeAtomically(join(folder, 'commondir'), `${common ?? '../..'}\n`);
	for (const name of await readdir(folder)) {
		const [, unfinished, mark] =
			/^(rebase-(?:merge|apply)|sequencer)(\.parked-.+)?$/i.exec(name) ?? [];
		if (unfinished !== undefined && (mark === undefined) === (common !== undefined)) {
			const other = mark === undefined ? `${name}.parked-${randomUUID()}` : unfinished;
			// Only one of two parked ones comes back; the other one is no longer in progress.
			await rename(join(folder, name), join(folder, other)).catch(() => undefined);
		}
	}
};

type Own = {readonly gitDir: string; readonly common: string; readonly tree: string};

/** Creates the exec path, in which git finds each of its programs, including itself. */
const layPrograms = async (folder: string, from: string, own: Own): Promise<void> => {
	await mkdir(folder);
	const names = (await readdir(from)).filter(name => name !== 'git');
	await Promise.all(names.map(name => symlink(join(from, name), join(folder, name))));
	await writeFile(join(folder, 'git'), scriptFor(join(from, 'git'), own));
	await chmod(join(folder, 'git'), 0o755);
};

const scriptFor = (git: string, {gitDir, common, tree}: Own): string => `#!/bin/sh
# Starts git for the repository of this worktree, and for no other one inside of it.
case "$(pwd -P)/" in
${inShell(tree)}/*) ;;
*)
	[ "\${GIT_DIR-}" != ${inShell(gitDir)} ] || unset GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE
	exec ${inShell(git)} "$@" ;;
esac
case "\${GIT_DIR-}" in
${inShell(gitDir)} | ${inShell(common)}/*) exec ${inShell(git)} "$@" ;;
esac
# Git asks each submodule for its changes, and fails where the answer is an error.
[ "\${1-}" != status ] || exit 0
echo 'git: no repository inside of an agent’s worktree is looked into from here' >&2
exit 1
`;
