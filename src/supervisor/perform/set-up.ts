import {ignoredEntries} from '../../git/worktree/open-worktree.ts';
import {worktreeTree} from '../../git/worktree/snapshot/snapshot.ts';
import {Failure} from '../../lib/failure.ts';
import {isSame} from '../../lib/values.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {Session} from '../../state/state.ts';
import {runForSession} from '../machine/shell.ts';
import type {WorktreeContent} from '../setup-queue.ts';
import {leftOutBy} from '../worktree/change-worktree.ts';
import {tellPreparing, type World} from '../world.ts';
import {copyPackages, findPackages, installs} from './copy-packages.ts';
import {tailOf} from './run-command.ts';

export type SetUpParts = {
	/** The commit that the worktree starts from. */
	readonly start: string;
	/** True to copy packages from another worktree if possible. */
	readonly mayCopy: boolean;
};

/**
Runs `setup` in a new worktree, or copies the packages that it would install from the worktree that was set up first.

Packages are copied if both worktrees had the same content before. Then only the install command is skipped: the other commands of `setup` run in each worktree, once both have the same content again.

@returns false if the copy failed or the content differs: the caller makes the worktree again, and sets it up without a copy.
*/
export const setUp = async (
	world: World,
	{plan: {setup}}: Session,
	agent: Agent,
	{start, mayCopy}: SetUpParts,
): Promise<boolean> => {
	if (setup.length === 0) {
		return true;
	}

	const look = () => contentOf(world, agent, start);
	const run = (commands: readonly string[]) => runSetup(world, commands, agent.id);
	let isSetUp = true;
	await world.starts.setUp({
		agent: agent.id,
		onStep: text => tellPreparing(world, agent, text),
		first: async () => {
			if (!installs(setup)) {
				await run(setup);
				return undefined;
			}

			const before = await look();
			await run(setup.slice(0, 1));
			// Times of files have fractions of a millisecond.
			const installedAt = Date.now() + 1;
			const after = await look();
			await run(setup.slice(1));
			return () => findPackages(world, agent.id, {setup, before, after, installedAt});
		},
		next: async (from, leave) => {
			const copies = mayCopy && from !== undefined && isSame(await look(), from.before);
			if (copies) {
				isSetUp =
					(await copyPackages(world, agent, from, leave)) && isSame(await look(), from.after);
			}

			leave();
			if (isSetUp) {
				await run(copies ? setup.slice(1) : setup);
			}
		},
	});
	return isSetUp;
};

const contentOf = async (
	{store, folder, environments}: World,
	agent: Agent,
	start: string,
): Promise<WorktreeContent> => {
	const {tree, index} = folder.agent(agent.id);
	const place = {tree, index, seed: start, leftOut: leftOutBy(agent, start)};
	return {
		tree: await worktreeTree(store, place),
		checkout: agent.subtask.checkout,
		ignored: await ignoredEntries(store, place),
		environment: environments.get(agent.id),
	};
};

const runSetup = async (world: World, setup: readonly string[], agent: string): Promise<void> => {
	const {tree, setupLog: log} = world.folder.agent(agent);
	const run = {cwd: tree, purpose: ['setup', agent], agent, log} as const;
	const {commands} = await runForSession(world, setup, run);
	const failed = commands.find(({code}) => code !== 0);
	if (failed !== undefined) {
		const {command, code} = failed;
		const how = code === null ? 'was ended by a signal' : `exited with ${code}`;
		throw new Failure('refused', `setup failed: \`${command}\` ${how}.`, {
			hint: `All of its output is in ${log}`,
			printed: await tailOf(log),
		});
	}
};
