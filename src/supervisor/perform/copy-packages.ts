import {readdir, readlink} from 'node:fs/promises';
import {join} from 'node:path';
import {attempt} from '../../lib/failure.ts';
import {readRegularFile} from '../../lib/files/reading.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {asFields} from '../../lib/values.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {runCommands, runForSession, shellEnvironment} from '../machine/shell.ts';
import type {SetUpTree, WorktreeContent} from '../setup-queue.ts';
import {tellPreparing, type World} from '../world.ts';

/**
Matches commands that take longer to install packages than a copy takes. pnpm and bun link or clone files from their own stores, which is faster. The scripts of a Python environment contain the path of its folder, and so does the output of Cargo's build scripts.
*/
const install = /^(?:npm (?:ci|clean-install|i|install)|yarn(?: install)?)(?: --[\w=-]+)*$/;

/** Returns whether a setup begins with such a command. */
export const installs = ([first = '']: readonly string[]): boolean => install.test(first.trim());

/** Matches the ignored paths that these commands create. */
const package_ = /(?:^|\/)node_modules\/$|^\.yarn\//;

type Found = {
	readonly setup: readonly string[];
	readonly before: WorktreeContent;
	readonly after: WorktreeContent;
};

/** Returns the packages that other worktrees can copy instead of running the first command of a setup, or `undefined` if a copy could differ from an install. */
export const findPackages = async (
	world: World,
	agent: string,
	{setup, before, after}: Found,
): Promise<SetUpTree | undefined> => {
	const {tree} = world.folder.agent(agent);
	const packages = after.ignored.filter(
		path => !before.ignored.includes(path) && package_.test(path),
	);
	const scripts = projectScripts(tree, setup);
	const besides = scripts && [...scripts, ...setup.slice(1)];
	const isChanged = before.tree !== after.tree;
	if (packages.length === 0 || besides === undefined || (isChanged && besides.length === 0)) {
		return undefined;
	}

	const files = await countFiles(tree, packages).catch(() => undefined);
	// grep exits with 1 if it finds nothing.
	const search = `grep -rqF -D skip -- ${[tree, ...packages].map(inShell).join(' ')}`;
	return files === undefined || (await runHere(world, agent, search)) !== 1
		? undefined
		: {...{agent, tree, before, after, packages, files}, besides};
};

const mostManifest = 1_048_576;

/** Returns commands that run the scripts of the project as an install would, or `undefined` if these are unknown. */
const projectScripts = (
	tree: string,
	[first = '']: readonly string[],
): readonly string[] | undefined => {
	const file = attempt(() => readRegularFile(join(tree, 'package.json'), 0, mostManifest));
	const manifest = file && readJsonObject(Buffer.from(file.bytes).toString('utf8'));
	const scripts = asFields(manifest?.scripts);
	const named = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'].filter(
		name => name in scripts,
	);
	if (named.length === 0 || first.includes('--ignore-scripts')) {
		return manifest && [];
	}

	const run = named.map(name => `npm run --ignore-scripts ${name}`).join(' && ');
	return first.startsWith('npm')
		? [`[ "$(npm config get ignore-scripts)" = true ] || { ${run}; }`]
		: undefined;
};

/** Counts the files in folders of a worktree; returns `undefined` if there is a link with an absolute path, which could lead back into that worktree. */
const countFiles = async (
	tree: string,
	folders: readonly string[],
): Promise<number | undefined> => {
	let files = 0;
	for (const folder of folders.filter(path => path.endsWith('/'))) {
		const entries = await readdir(join(tree, folder), {withFileTypes: true, recursive: true});
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
Copies packages into a worktree and runs the commands that follow; returns whether all of them succeeded.

Files are cloned if the file system supports it, otherwise copied. They are never hard links, through which an edit would reach the other worktree.
*/
export const copyPackages = async (
	world: World,
	agent: Agent,
	{agent: from, tree, packages, files, besides}: SetUpTree,
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
	if (code !== 0) {
		return false;
	}

	const run = {cwd: own.tree, purpose: ['setup', id], agent: id, log: own.setupLog} as const;
	return (await runForSession(world, besides, run)).ok;
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
