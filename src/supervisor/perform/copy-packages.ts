import {lstatSync} from 'node:fs';
import {readdir, readlink, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {sealed} from '../../git/process/sealed.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {runCommands, shellEnvironment} from '../machine/shell.ts';
import type {SetUpTree, WorktreeContent} from '../setup-queue.ts';
import {tellPreparing, type World} from '../world.ts';

/** Matches commands that take longer to install packages than a copy takes. pnpm and bun link or clone files from their own stores, which is faster. The scripts of a Python environment contain the path of its folder, and so does the output of Cargo's build scripts. */
const install = /^(?:npm (?:ci|clean-install|i|install)|yarn(?: install)?)(?: --[\w=-]+)*$/;

/** Returns whether a setup begins with such a command. */
export const installs = ([first = '']: readonly string[]): boolean => install.test(first.trim());

/** Matches the ignored paths that these commands create. */
const packagePath = /(?:^|\/)node_modules\/$|^\.yarn\//;

/** Matches a line of a manifest with a script that these commands may run, whose effects a copy could lack. */
const installScript =
	'"(pre|post)?(install|prepare|dependencies|prepublish)"[[:space:]]*:[[:space:]]*"';

type Found = {
	readonly setup: readonly string[];
	readonly before: WorktreeContent;
	/** Content right after the first command of `setup`. */
	readonly after: WorktreeContent;
	readonly installedAt: number;
};

/** Returns the packages that other worktrees can copy instead of running the first command of a setup, or `undefined` if a copy could differ from an install. */
export const findPackages = async (
	world: World,
	agent: string,
	{setup, before, after, installedAt}: Found,
): Promise<SetUpTree | undefined> => {
	const {tree} = world.folder.agent(agent);
	const packages = after.ignored.filter(path => !before.ignored.includes(path));
	const isOnlyPackages =
		before.tree === after.tree &&
		before.ignored.length + packages.length === after.ignored.length &&
		packages.every(path => packagePath.test(path));
	if (packages.length === 0 || !isOnlyPackages) {
		return undefined;
	}

	const manifests = [before.tree, '--', 'package.json', '*/package.json'];
	const scripts = await sealed(world.store, ['grep', '-l', '-E', installScript, ...manifests], {
		...{expect: [0, 1], env: {GIT_LITERAL_PATHSPECS: '0'}},
	});
	if (scripts.stdout.length > 0 && !setup[0]?.includes('--ignore-scripts')) {
		return undefined;
	}

	const files = await countFiles(tree, packages, installedAt).catch(() => undefined);
	const places = [tree, await realpath(tree)].map(place => `-e ${inShell(place)}`).join(' ');
	// grep exits with 1 if it finds nothing.
	const search = `grep -rqF -D skip ${places} -- ${packages.map(inShell).join(' ')}`;
	return files === undefined || (await runHere(world, agent, search)) !== 1
		? undefined
		: {agent, tree, before, after, packages, files};
};

/** Counts the files in folders of a worktree; returns `undefined` if something was changed after the install, or if there is a link with an absolute path, which could lead back into that worktree. */
const countFiles = async (
	tree: string,
	packages: readonly string[],
	installedAt: number,
): Promise<number | undefined> => {
	let files = 0;
	for (const path of packages.map(one => join(tree, one))) {
		const entries = path.endsWith('/')
			? await readdir(path, {withFileTypes: true, recursive: true})
			: [];
		const all = [path, ...entries.map(entry => join(entry.parentPath, entry.name))];
		if (all.some(one => lstatSync(one).ctimeMs > installedAt)) {
			return undefined;
		}

		for (const entry of entries.filter(one => one.isSymbolicLink())) {
			if ((await readlink(join(entry.parentPath, entry.name))).startsWith('/')) {
				return undefined;
			}
		}

		files += entries.filter(entry => !entry.isDirectory()).length;
	}

	return files;
};

/**
Copies packages into a worktree, and returns whether that succeeded.

Files are cloned if the file system supports it, otherwise copied. They are never hard links, through which an edit would reach the other worktree.
*/
export const copyPackages = async (
	world: World,
	agent: Agent,
	{agent: from, tree, packages, files}: SetUpTree,
	leave: () => void,
): Promise<boolean> => {
	const {id} = agent;
	const own = world.folder.agent(id);
	const count = files.toLocaleString('en');
	tellPreparing(world, agent, `copying node_modules (${count} files) from ${from}`);
	const copy = process.platform === 'darwin' ? 'cp -cRp' : 'cp -a --reflink=auto';
	const names = packages.map(path => inShell(path.replace(/\/$/, ''))).join(' ');
	const code = await runHere(
		world,
		id,
		`cd ${inShell(tree)} && for path in ${names}; do ${copy} -- "$path" ${inShell(own.tree)}/"$path" || exit; done`,
	).finally(leave);
	return code === 0;
};

/** Runs a command of the supervisor, outside the sandbox, since it reads another agent's worktree; returns its exit code. */
const runHere = async (
	world: World,
	agent: string,
	command: string,
): Promise<number | null | undefined> => {
	const {tree, setupLog: log} = world.folder.agent(agent);
	const shell = shellEnvironment(process.env, world.session, `copy/${agent}`);
	const {containment, freezer} = world;
	const context = {...shell, containment, freezer, cwd: tree, log};
	return (await runCommands([command], context)).commands[0]?.code;
};
