import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {agentEnvironment} from '../../agents/environment.ts';
import {startTextTurn} from '../../agents/text-turn.ts';
import type {AgentTurn} from '../../agents/turn.ts';
import type {Body} from '../../events/event.ts';
import type {Effect} from '../../rules/effect.ts';
import type {Agent} from '../../state/agent.ts';
import {takesReplies} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {World} from '../world.ts';
import {promptFor} from './prompt-for.ts';
import {type Started, startAcp, type TurnParts} from './start-acp.ts';

type Start = Extract<Effect, {do: 'start'}>;

/** Starts a turn of an agent with the prompt it needs; what it says and its end are told as they come. */
export const start = async (
	world: World,
	state: State,
	agent: Agent,
	effect: Start,
): Promise<readonly Body[]> => {
	const prompt = await promptFor(world, state, agent, effect.prompt);
	const parts = await partsFor(world, agent, effect, prompt.whole);
	const {turn, opened} =
		agent.subtask.agent.protocol === 'acp'
			? await startAcp(world, agent, effect.turn, {...parts, prompt})
			: await startText(agent, {...parts, prompt: prompt.whole});
	// Its first signal can't come before this line is queued: events are written in the order they are told.
	const started = world.tell([
		...opened,
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
	const over = ending(world, agent.id, effect.turn, turn);
	// A supervisor that stops has nobody to tell of the end any more; the next one finds the turn lost.
	over.catch(() => {});
	world.turns.set(agent.id, {...turn, over});
	await started;
	return [];
};

/** Environment entry by which the processes of an agent are known. */
export const turnMark = (session: string, agent: string): string =>
	`DELEGATE_TURN=${session}/${agent}`;

/** What both ways of talking need. */
const partsFor = async (
	world: World,
	agent: Agent,
	{turn}: Start,
	prompt: string,
): Promise<TurnParts> => {
	const folder = world.folder.agent(agent.id);
	const promptFile = folder.prompt(turn);
	await mkdir(dirname(promptFile), {recursive: true});
	await writeFile(promptFile, prompt);
	const mark = turnMark(world.session, agent.id);
	return {
		command: agent.subtask.agent.command,
		directory: folder.tree,
		environment: agentEnvironment(process.env, {
			session: world.session,
			agent: agent.id,
			promptFile,
			mark,
			profile: world.environments.get(agent.id),
		}),
		mark,
		transcript: folder.transcript(turn),
		expect: agent.subtask.expect,
		onSignal: (signal, offset) => {
			world.report({kind: 'signal.said', agent: agent.id, turn, signal, offset});
		},
	};
};

const startText = async (
	agent: Agent,
	parts: TurnParts & {readonly prompt: string},
): Promise<Started> => ({
	turn: await startTextTurn({...parts, keepInput: takesReplies(agent)}),
	opened: [],
});

const ending = async (
	world: World,
	agent: string,
	number: number,
	turn: AgentTurn,
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
