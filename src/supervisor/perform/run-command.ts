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
Runs a command of a person's in an agent's worktree, held together as `setup` and the checks are; its output goes to a file.

What it changes inside the agent's scope counts as the agent's work. A command that was begun is never begun again by itself: whoever finds its log after a crash tells that it was cut off.
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

/** Most lines of its output that are kept in the journal. */
const maximumLines = 20;

/** Longest of these lines, in characters. */
const maximumLength = 500;

/** The first line of a log names its command. */
const tailOf = async (log: string): Promise<readonly string[]> =>
	(await readLogEnd(log))
		.split('\n')
		.slice(1)
		.map(line => withoutColors(line).trimEnd().slice(0, maximumLength))
		.filter(line => line !== '')
		.slice(-maximumLines);

/**
Pins what a person had done in an agent's worktree.

What that changed outside the agent's scope is neither its doing nor its work: it stays, as what `setup` makes does, and never comes into a merge. Links are judged as always: they may lead elsewhere later.
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
