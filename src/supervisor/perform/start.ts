import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {agentEnvironment} from '../../agents/environment.ts';
import {launchPrompt} from '../../agents/launch-prompt.ts';
import {type Restoration, reminderPrompt, resumePrompt} from '../../agents/resume-prompt.ts';
import {startTextTurn, type TextTurn} from '../../agents/text-turn.ts';
import type {Body} from '../../events/event.ts';
import {changes} from '../../git/changes.ts';
import type {Effect} from '../../rules/effect.ts';
import type {Agent} from '../../state/agent.ts';
import {agentOf, takesReplies} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {World} from '../world.ts';
import {requireSession} from './prepare.ts';

type Start = Extract<Effect, {do: 'start'}>;

/** Starts a turn of an agent with the prompt it needs; what it says and its end are told as they come. */
export const start = async (
	world: World,
	state: State,
	agent: Agent,
	effect: Start,
): Promise<readonly Body[]> => {
	const folder = world.folder.agent(agent.id);
	const prompt = await promptFor(world, state, agent, effect);
	const promptFile = folder.prompt(effect.turn);
	await mkdir(dirname(promptFile), {recursive: true});
	await writeFile(promptFile, prompt);
	const mark = turnMark(world.session, agent.id);
	const turn = await startTextTurn({
		command: agent.subtask.agent.command,
		directory: folder.tree,
		environment: agentEnvironment(process.env, {
			session: world.session,
			agent: agent.id,
			promptFile,
			mark,
			profile: world.environments.get(agent.id),
		}),
		prompt,
		keepInput: takesReplies(agent),
		transcript: folder.transcript(effect.turn),
		expect: agent.subtask.expect,
		onSignal: (signal, offset) => {
			world.report({kind: 'signal.said', agent: agent.id, turn: effect.turn, signal, offset});
		},
		mark,
	});
	// Its first signal can't come before this line is queued: events are written in the order they are told.
	const started = world.tell([
		{
			kind: 'turn.started',
			agent: agent.id,
			turn: effect.turn,
			prompt: effect.prompt,
			pid: turn.pid,
			startTime: turn.startTime,
			items: effect.prompt === 'resume' ? agent.replies.map(({item}) => item) : [],
		},
	]);
	world.turns.set(agent.id, {...turn, over: ending(world, agent.id, effect.turn, turn)});
	await started;
	return [];
};

/** Environment entry by which the processes of an agent are known. */
export const turnMark = (session: string, agent: string): string =>
	`DELEGATE_TURN=${session}/${agent}`;

const ending = async (
	world: World,
	agent: string,
	number: number,
	turn: TextTurn,
): Promise<void> => {
	const {end, lastError} = await turn.ended;
	world.turns.delete(agent);
	await world.tell([
		{
			kind: 'turn.ended',
			agent,
			turn: number,
			end,
			...(lastError === undefined ? {} : {lastError}),
		},
	]);
};

const promptFor = async (
	world: World,
	state: State,
	agent: Agent,
	{prompt}: Start,
): Promise<string> => {
	const {plan} = requireSession(state);
	if (prompt === 'launch') {
		const directory = world.folder.agent(agent.id).tree;
		const results = agent.subtask.after.map(id => resultOf(agentOf(state, id)));
		return launchPrompt({plan, subtask: agent.subtask, directory, results});
	}

	const restoration = await restore(world, agent);
	const unreadable = agent.malformed;
	if (prompt === 'reminder') {
		return reminderPrompt({unreadable, restoration});
	}

	const conflicts = agent.workspace.phase === 'ready' ? agent.workspace.conflicts : [];
	return resumePrompt({replies: agent.replies, unreadable, restoration, conflicts});
};

const resultOf = (agent: Agent | undefined): string => {
	if (!agent) {
		return 'unknown';
	}

	const said = agent.told.summary ?? agent.why;
	const created = agent.report?.deliverables ?? agent.told.created;
	return [`${agent.id} (${agent.state.toLowerCase()}): ${said}`, ...created].join(', ');
};

/** Most files that a prompt names; git can tell the agent the rest. */
const maximumFiles = 50;

/** What is said to be there is what git finds in the last snapshot of the worktree. */
const restore = async (world: World, agent: Agent): Promise<Restoration> => {
	const snapshot = agent.snapshots.at(-1);
	const changed =
		snapshot && agent.workspace.phase === 'ready'
			? await changes(world.store, agent.workspace.base, snapshot.work)
			: [];
	const {phase, status} = agent.told;
	const said = [phase, status].filter(word => word !== undefined).join(': ');
	return {
		completed: `${agent.progress ?? 0} %${said === '' ? '' : ` (${said})`}`,
		files: changed.slice(0, maximumFiles).map(({path}) => path),
		directory: world.folder.agent(agent.id).tree,
		next: agent.subtask.goal ?? agent.subtask.subtask,
	};
};
