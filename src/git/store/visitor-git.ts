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
import {lineOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import type {Repository} from '../repository/repository.ts';
import {borrowedFrom, createBare} from './borrowed.ts';
import {type LinkedTree, linkedFolder} from './linked-tree.ts';

/** Git settings for a person in an agent's worktree. */
export type VisitorGit = {
	/** Laid over an environment without locations of git's. */
	readonly environment: (path: string) => Readonly<Record<string, string>>;
	readonly giveBack: () => Promise<void>;
};

/**
Lends a person who goes into an agent's worktree a git that goes by nothing an agent has configured.

Any setting of the hub's can start a program, and so can a hook, or the list of a rebase that is under way. So its refs, objects, logs and index stay where they are, for a commit to be the agent's to go on from, and the folder of everything else (`GIT_COMMON_DIR`) is one of ours. A git that doesn't get our environment, as in a window that was open before, is led there by the worktree, too.

A repository inside of the worktree has settings of its own, and git goes into one that is added, whatever is set: `ignore` in `.gitmodules` is stronger. So git finds a script of ours where it starts itself, which starts it for no other repository in there.

@param folder of the visit, which is ours
@throws `Failure` of kind `refused` where the hub holds a link: git would write where that leads.
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
Returns the folders of the repositories inside of a worktree, bare ones too, and of what only looks like one: git takes it for that.

Whatever goes into one of them with a git that nobody has led elsewhere starts what its settings say.
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

/** Leads the worktree back to its hub for everything; does nothing where it is led there, or where nobody could tell where it leads. */
export const leadToHub = async (hub: string): Promise<void> => {
	if (await succeeds(requireNoLinks(hub))) {
		await lead(hub, undefined);
	}
};

const packedRefs = 'packed-refs';

/** Entries shared with the hub; git starts no program from them. */
const shared = ['objects', 'refs', packedRefs, 'logs', 'lfs'];

const quiet = [
	['core.hooksPath', '/dev/null'],
	['core.fsmonitor', 'false'],
	['core.useReplaceRefs', 'false'],
	['diff.ignoreSubmodules', 'dirty'],
	['submodule.recurse', 'false'],
	['gc.auto', '0'],
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

/** Leads a worktree's git to another folder for all that git calls common; a rebase that is under way is parked meanwhile. */
const lead = async (hub: string, common: string | undefined): Promise<void> => {
	const folder = linkedFolder(hub);
	await writeAtomically(join(folder, 'commondir'), `${common ?? '../..'}\n`);
	for (const name of await readdir(folder)) {
		const [, rebase, mark] = /^(rebase-(?:merge|apply))(\.parked-.+)?$/.exec(name) ?? [];
		if (rebase !== undefined && (mark === undefined) === (common !== undefined)) {
			const other = mark === undefined ? `${name}.parked-${randomUUID()}` : rebase;
			// Of two that were parked one comes back; the other one is no longer under way.
			await rename(join(folder, name), join(folder, other)).catch(() => undefined);
		}
	}
};

type Own = {readonly gitDir: string; readonly common: string; readonly tree: string};

/** Git looks for each of its programs in this folder, itself included. */
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
