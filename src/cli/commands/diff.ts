import type {Command} from 'commander';
import type {Store} from '../../git/store/store.ts';
import {changedFiles, sumOfLines} from '../../git/tree/changed-files.ts';
import {patch, rawPatch, treesOf} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {grantable} from '../../state/granted.ts';
import {listFiles} from '../../supervisor/show/shown-work.ts';
import {revertedChanges} from '../../supervisor/worktree/bring-git-back.ts';
import {agentHere, captured, pinnedWork, type WorkRange} from '../agent/work-so-far.ts';
import {findHere} from '../here.ts';
import {drained, print, printAside, printJson} from '../output.ts';

export const addDiff = (program: Command): void => {
	program
		.command('diff <agent> [snapshot]')
		.description('an agent’s work since its base, or since one of its snapshots')
		.option('--reverted', 'show its changes outside its scope, which were reverted')
		.option('--json', 'the files with their line counts, as JSON')
		.action(async (id: string, since: string | undefined, options: Options) => {
			const here = await findHere();
			if (!(await captured(here, id))) {
				printAside('What it wrote since its last snapshot is not shown.');
			}

			const agent = await agentHere(here, id);
			const store = {gitDir: here.folder.store};
			const range = options.reverted
				? await revertedOf(store, agent, since)
				: pinnedWork(agent, since);
			await (options.json ? printCounts(store, range) : printPatch(store, range));
		});
};

type Options = {json?: boolean; reverted?: boolean};

const revertedOf = async (
	store: Store,
	agent: Agent,
	since: string | undefined,
): Promise<WorkRange> => {
	if (since !== undefined) {
		throw new Failure('usage', 'What was reverted is shown for all snapshots together.');
	}

	const {before, after} = await treesOf(store, await revertedChanges(store, agent));
	return {before, after, about: {agent: agent.id, reverted: true, grantable: grantable(agent)}};
};

/** Prints a readable diff to a terminal, and one that git can apply to a pipe. */
const printPatch = async (store: Store, {before, after}: WorkRange): Promise<void> => {
	if (process.stdout.isTTY) {
		const text = await patch(store, before, after);
		print(text === '' ? 'Nothing was changed.' : text.trimEnd());
	} else {
		process.stdout.write(await rawPatch(store, before, after));
		await drained();
	}
};

const printCounts = async (store: Store, {before, after, about}: WorkRange): Promise<void> => {
	const range = [before, after] as const;
	const [files, listed] = await Promise.all([
		changedFiles(store, range, {renames: false}),
		listFiles(store, range, {commands: {setup: [], verify: []}}),
	]);
	const likes = new Map(listed.map(({path, like}) => [path, like]));
	printJson({
		...about,
		files: files.map(({path, status, added, removed}) => ({
			...{path, status, added, removed},
			...defined({like: likes.get(path)}),
		})),
		...sumOfLines(files),
	});
};
