import {cp, mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Body} from '../../events/event.ts';
import {changes} from '../../git/changes.ts';
import {createHub} from '../../git/hub.ts';
import {putBack} from '../../git/put-back.ts';
import {takeSnapshot} from '../../git/snapshot.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent} from '../../state/agent.ts';
import type {Session, State} from '../../state/state.ts';
import {branchOf} from '../branch-name.ts';
import {groundFor} from '../ground.ts';
import {runCommands} from '../shell.ts';
import {shellEnvironment} from '../shell-environment.ts';
import {reportSurvivors} from '../survivors.ts';
import type {World} from '../world.ts';

/**
Makes an agent's worktree: its hub, the work it builds on, the files it gets a copy of, `setup`.

What the worktree holds after that is the baseline: the agent's changes are what differs from it.
*/
export const prepare = async (
	world: World,
	state: State,
	agent: Agent,
): Promise<readonly Body[]> => {
	const session = requireSession(state);
	const folder = world.folder.agent(agent.id);
	const ground = await groundFor(world, state, agent.subtask.after, session.base);
	await layOut(world, state, agent, ground);
	const {tree} = await takeSnapshot(world.store, {
		tree: folder.tree,
		index: folder.index,
		parents: [ground],
		ref: `refs/delegate/${world.session}/${agent.id}/baseline`,
		message: `${agent.id} baseline`,
		at: session.startedAt,
	});
	return [
		{
			kind: 'workspace.prepared',
			agent: agent.id,
			base: ground,
			baseline: tree,
			onto: agent.subtask.after,
			conflicts: [],
		},
	];
};

/** Makes the worktree with the files of a commit, and brings in what `copy` and `setup` of the plan say. */
export const layOut = async (
	world: World,
	state: State,
	agent: Agent,
	ground: string,
): Promise<void> => {
	const session = requireSession(state);
	const folder = world.folder.agent(agent.id);
	await createHub({
		folder: folder.path,
		repository: world.repository,
		base: session.base,
		branch: branchOf(agent.id),
	});
	const differences = await changes(world.store, ground, session.base);
	if (differences.length > 0) {
		const patchFile = join(folder.path, 'ground.patch');
		await putBack(world.store, {tree: folder.tree, changes: differences, patchFile});
	}

	await copyIgnored(world, session.plan.copy, folder.tree);
	await setUp(world, session, agent, folder.tree, folder.setupLog);
};

/** Returns the session that every effect is part of. */
export const requireSession = ({session}: State): Session => {
	if (!session) {
		throw new Failure('internal', 'There is no session.');
	}

	return session;
};

/** Copies, never links: an agent that edits a linked file would edit the person's. */
export const copyIgnored = async (
	world: World,
	paths: readonly string[],
	tree: string,
): Promise<void> => {
	for (const path of paths) {
		const from = join(world.repository.root, path);
		const to = join(tree, path);
		await mkdir(dirname(to), {recursive: true});
		try {
			await cp(from, to, {recursive: true, force: true, verbatimSymlinks: true});
		} catch (error) {
			throw new Failure('missing', `${path} could not be copied from your checkout.`, {
				hint: 'it is listed under "copy" in the plan',
				cause: error,
			});
		}
	}
};

const setUp = async (
	world: World,
	session: Session,
	agent: Agent,
	tree: string,
	log: string,
): Promise<void> => {
	const {env, mark} = shellEnvironment(process.env, world.session, `setup/${agent.id}`);
	const {ok, commands, survivors} = await runCommands(session.plan.setup, {
		cwd: tree,
		env: {...env, ...world.environments.get(agent.id)},
		layer: world.layer,
		mark,
		log,
	});
	reportSurvivors(world, agent.id, survivors);
	if (!ok) {
		const {command, code} = commands.at(-1) ?? {command: '', code: null};
		throw new Failure(
			'refused',
			`setup failed: \`${command}\` exited with ${code ?? 'a signal'}.`,
			{
				hint: `see ${log}`,
			},
		);
	}
};
