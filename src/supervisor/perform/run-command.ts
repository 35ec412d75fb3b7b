import {mkdir} from 'node:fs/promises';
import {join, relative} from 'node:path';
import type {Body, BodyOf} from '../../events/event.ts';
import {symlinkMode} from '../../git/tree/entry.ts';
import {graft} from '../../git/tree/graft.ts';
import {isThere} from '../../lib/files/reading.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import type {EffectOf} from '../../rules/effects/effect.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {commandLogName} from '../../state/items/blocker.ts';
import {runForSession} from '../machine/shell.ts';
import {readLogEnd} from '../merging/check-tree.ts';
import {captureNow} from '../worktree/capture.ts';
import {treeNow} from '../worktree/change-worktree.ts';
import {judgeChanges} from '../worktree/judge.ts';
import type {World} from '../world.ts';

/**
Runs a person's command in an agent's worktree, contained like `setup` and checks; its output goes to a file.

Its changes inside the agent's scope count as the agent's work. A started command is never repeated on its own: after a crash, the supervisor finds its log and reports it as interrupted.
*/
export const runCommand = async (
	world: World,
	agent: Agent,
	{item, since, command, key}: EffectOf<'run-command'>,
): Promise<readonly Body[]> => {
	const log = join(world.folder.commands, commandLogName(item, {since}));
	const ended = {
		...{kind: 'command.ended' as const, agent: agent.id, item, since, command},
		log: relative(world.folder.path, log),
	};
	if (await isThere(log)) {
		return [{...ended, ...interrupted, tail: await tailOf(log)}];
	}

	await mkdir(world.folder.commands, {recursive: true});
	const code = await world.checks.run(key, log, async signal => {
		const cwd = world.folder.agent(agent.id).tree;
		const run = {cwd, purpose: [item, since], agent: agent.id, log, signal} as const;
		const {commands} = await runForSession(world, [command], run);
		return commands[0]?.code ?? null;
	});
	return code === undefined
		? []
		: [...(await captured(world, agent, item)), {...ended, code, tail: await tailOf(log)}];
};

const interrupted: Pick<BodyOf<'command.ended'>, 'code' | 'why'> = {
	code: null,
	why: 'was started before, and its end was not seen',
};

/** Takes a snapshot; if that fails, the end of the agent's next turn takes one, and reports the failure. */
const captured = (world: World, agent: Agent, item: string): Promise<readonly Body[]> =>
	pinVisit(world, agent, `ran:${item}`).catch(() => []);

/** Maximum number of output lines in the journal. */
const maximumLines = 20;

/** Longest of these lines, in characters. */
const maximumLength = 500;

/** Returns the last lines of output; the first line of a log is the command itself. */
export const tailOf = async (log: string): Promise<readonly string[]> =>
	(await readLogEnd(log))
		.split('\n')
		.slice(1)
		.map(line => withoutColors(line).trimEnd().slice(0, maximumLength))
		.filter(line => line !== '')
		.slice(-maximumLines);

/**
Takes a snapshot of a person's changes in an agent's worktree.

Changes outside the agent's scope are neither the agent's fault nor its work: they stay, like those of `setup`, and are never merged. Links are always judged, since they may lead elsewhere later.
*/
const pinVisit = (world: World, agent: Agent, reason: string): Promise<readonly Body[]> =>
	world.serially(agent.id, async () => {
		const {workspace, subtask} = agent;
		if (workspace.phase !== 'ready') {
			return [];
		}

		const tree = await treeNow(world, agent);
		const {outside} = await judgeChanges(world.store, subtask.scope, workspace.baseline, tree);
		const stays = outside
			.map(({change}) => change)
			.filter(change => change.status === 'D' || change.new.mode !== symlinkMode);
		if (stays.length === 0) {
			return captureNow(world, agent, reason);
		}

		const {base, onto, conflicts} = workspace;
		const baseline = await graft(world.store, {onto: workspace.baseline, changes: stays});
		return [
			{kind: 'workspace.prepared', agent: agent.id, base, baseline, onto, conflicts},
			...(await captureNow(world, {...agent, workspace: {...workspace, baseline}}, reason)),
		];
	});
