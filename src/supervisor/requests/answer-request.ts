import {rm} from 'node:fs/promises';
import type {Asker, Event} from '../../events/event.ts';
import type {Environments, Subtask} from '../../events/plan.ts';
import {diskPath} from '../../git/tree/disk-path.ts';
import {Failure} from '../../lib/failure.ts';
import {omit} from '../../lib/values.ts';
import {newSteps, type Step} from '../../rules/by-hand/steps.ts';
import {choicesOf} from '../../rules/commands/choices.ts';
import type {Command, Decision} from '../../rules/commands/command.ts';
import {readDecision} from '../../rules/commands/read-decision.ts';
import {hintForGone, whyGone, whyNot} from '../../rules/commands/why-not.ts';
import {agentOfItem} from '../../state/item.ts';
import {acceptedAgents} from '../../state/merge/members.ts';
import {agentOf, isLive, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {
	type HandFile,
	hunkCount,
	readHandFile,
	writeSteps,
	writtenText,
} from '../by-hand/hand-file.ts';
import {gather} from '../merging/gather.ts';
import {placeFile} from '../perform/resolution.ts';
import type {RunningSession} from '../session.ts';
import {show} from '../show/show.ts';
import {conflictOf} from '../show/show-side.ts';
import {capture} from '../worktree/capture.ts';
import {reasonOfVisit} from '../worktree/lost-edits.ts';
import type {World} from '../world.ts';
import {freeAgentIds, nextAgentId, subtaskFor} from './new-subtask.ts';
import type {StartRequest, SupervisorRequest} from './request.ts';

type SessionRequest = Exclude<SupervisorRequest, StartRequest | {do: 'undo' | 'push'}>;

export const answerRequest = async (
	{world, loop}: RunningSession,
	request: SessionRequest,
	asker?: Asker,
): Promise<unknown> => {
	// The caller may have read events that are written but not applied yet.
	await loop.append([]);
	const state = loop.state();
	switch (request.do) {
		case 'show':
			return show(world, state, request);
		case 'by-hand':
			await answerByHand(world, state, request);
			return null;
		case 'capture': {
			const agent = agentOf(state, request.agent);
			if (agent?.visits !== undefined && !isLive(agent)) {
				// A kept process, and what it has started, would go on in the worktree while a person is there.
				await world.conversations.end(agent.id);
			}

			const reason = agent?.visits === undefined ? 'a look at it' : reasonOfVisit(agent);
			await world.append(agent === undefined ? [] : await capture(world, agent, reason));
			return null;
		}
		case 'wait':
			return null;
		case 'stop':
			return granted(await loop.ask({kind: 'stop'}, asker));
		case 'merge': {
			const {agents} = request;
			const all = agents === 'accepted' ? acceptedAgents(state).map(({id}) => id) : agents;
			return granted(await loop.ask({kind: 'merge', agents: all}, asker));
		}
		case 'withdraw':
			return granted(await loop.ask({kind: 'withdraw', allowance: request.allowance}, asker));
		case 'steer': {
			const {agent, order, environment} = request;
			const command = {kind: 'steer', agent, order} as const;
			if (environment !== undefined && whyNot(state, command) === undefined) {
				await world.environments.keepOf(agent, environment);
			}

			return granted(await loop.ask(command, asker));
		}
		case 'add':
			// Two agents that join at the same time would get the same id and environment.
			return world.serially('join', async () =>
				granted(await loop.ask(await addCommand(world, loop.state(), request), asker)),
			);
		case 'decide': {
			const {environments, environment, ...decision} = omit(request, 'do');
			const command = await gather(world, state, commandOf(state, decision));
			await keepEnvironments(world, state, command, {environments, environment});
			return granted(await loop.ask(command, asker));
		}
		case 'answer': {
			const {answers, by} = request;
			const gathered = answers.map(answer =>
				gather(world, state, commandOf(state, {...answer, by})),
			);
			return granted(
				await loop.ask(
					{kind: 'answer', answers: questionsOnly(await Promise.all(gathered))},
					asker,
				),
			);
		}
	}
};

/** Throws unless all commands answer questions: other decisions can't be made together. */
const questionsOnly = (commands: readonly Command[]): readonly Decision<'question'>[] =>
	commands.map(command => {
		if (command.kind !== 'decide' || command.on !== 'question') {
			throw new Failure('usage', 'Only questions can be answered together.');
		}

		return command;
	});

const granted = (event: Event): {event: Event} => ({event});

/** Stores the environments of new agents before the decision is journaled; a refused decision stores none. */
const keepEnvironments = async (
	{environments}: World,
	state: State,
	command: Command,
	given: {
		readonly environments: Environments | undefined;
		readonly environment: Readonly<Record<string, string>> | undefined;
	},
): Promise<void> => {
	if (command.kind !== 'decide' || whyNot(state, command) !== undefined) {
		return;
	}

	const {plan, subtask} = command;
	if (plan !== undefined) {
		await environments.keep(plan, given.environments ?? {});
	}

	if (subtask !== undefined) {
		// An agent modelled on another one starts with that one's environment.
		const item = itemOf(state, command.item);
		const like = item === undefined ? undefined : agentOfItem(item);
		const named = given.environment ?? given.environments?.[subtask.id];
		const own = named ?? (like === undefined ? undefined : environments.get(like));
		// Without a stored environment, an agent starts with the one of its profile.
		if (own !== undefined) {
			await environments.keepOf(subtask.id, own);
		}
	}
};

type Typed = Omit<Extract<SessionRequest, {do: 'decide'}>, 'do' | 'environments' | 'environment'>;

/** Parses a decision about an item. A choice that the item doesn't have is a usage error, not a refusal. */
const commandOf = (state: State, decision: Typed): Command => {
	const {item: id, choice} = decision;
	const item = itemOf(state, id);
	if (item === undefined) {
		throw new Failure('refused', whyGone(state, id), {hint: hintForGone(state)});
	}

	const command = readDecision(state, item, decision);
	if (command === undefined) {
		const listed = choicesOf(state, item).map(offered => offered.choice);
		throw new Failure('usage', `"${choice}" is not a choice for ${id}.`, {
			hint: `take one of: ${listed.join(', ')}`,
		});
	}

	return command;
};

type AddRequest = Extract<SupervisorRequest, {do: 'add'}>;

/** Returns the command that adds an agent. Stores its environment before the agent is in the state, unless the command would be refused. */
const addCommand = async (
	{environments}: Pick<World, 'environments'>,
	state: State,
	request: AddRequest,
): Promise<Extract<Command, {kind: 'add'}>> => {
	const {environment, rivals = []} = request;
	const subtask = subtaskIn(state, request);
	const command = {
		kind: 'add',
		...(rivals.length === 0
			? {subtask}
			: rivalry(state, [subtask, ...rivals.map(one => one.subtask)])),
	} as const;
	if (whyNot(state, command) === undefined) {
		const ids = freeAgentIds(state);
		const all = [environment, ...rivals.map(one => one.environment)];
		for (const [index, kept] of all.entries()) {
			await (kept && environments.keepOf(ids[index] ?? '', kept));
		}
	}

	return command;
};

/** Gives rivals their ids; the first one's id identifies the group. */
const rivalry = (
	state: State,
	all: readonly Subtask[],
): {readonly subtask: Subtask; readonly rivals: readonly Subtask[]} => {
	const ids = freeAgentIds(state);
	const [bestOf] = ids;
	const [subtask, ...rivals] = all.map((one, index) => ({...one, id: ids[index] ?? '', bestOf}));
	if (subtask === undefined) {
		throw new Failure('usage', 'The subtask of the new agents is missing.');
	}

	return {subtask, rivals};
};

/** Returns the subtask of a new agent. If only a sentence is given, it uses the command of the named agent, and that agent's scope unless another one is given. */
const subtaskIn = (state: State, {subtask, task, like, scope}: AddRequest) => {
	if (subtask !== undefined) {
		return {...subtask, id: nextAgentId(state)};
	}

	if (task === undefined || like === undefined) {
		throw new Failure('usage', 'The subtask of the new agent is missing, and so is --like.');
	}

	const modelled = subtaskFor(state, task, like);
	if (!modelled) {
		throw new Failure('usage', `There is no agent ${like} to model the new one on.`, {
			hint: `take one of: ${state.agents.map(({id}) => id).join(', ')}`,
		});
	}

	return {...modelled, scope: {...modelled.scope, ...scope}};
};

/** A person's steps in a conflicted file, hunk by hunk. */
export type ByHand = Omit<Extract<SessionRequest, {do: 'by-hand'}>, 'do' | 'steps'> & {
	readonly steps: readonly Step[];
};

/**
Saves a person's steps in the resolution folder, from which `done` takes the file.

@throws `Failure` of kind `refused` when the conflict is gone, it has no hunks, or another program changed its file
*/
export const answerByHand = (world: World, state: State, request: ByHand): Promise<void> =>
	world.serially(`by-hand:${request.item}`, async () => {
		const file = await readHandFile(world, conflictOf(state, request.item));
		if ('whole' in file) {
			throw new Failure('refused', `There are no hunks to settle. ${file.whole}`);
		}

		const kept = await file.after(stepsWith(file, request));
		if (kept.steps.length > file.steps.length) {
			await writeHandFile(kept);
		}
	});

/**
Returns all steps, including the new ones.

@throws `Failure` of kind `refused` when the file has changed since the person saw it
*/
const stepsWith = (file: HandFile, {after, steps}: ByHand): readonly Step[] => {
	const fresh = newSteps(file.steps, after, steps);
	const count = hunkCount(file);
	if (fresh === undefined || fresh.some(step => step.do === 'pick' && step.hunk >= count)) {
		throw new Failure('refused', `${file.path} has changed in its folder meanwhile.`, {
			hint: 'look at it again; nothing was lost, and nothing of this was taken',
		});
	}

	return [...file.steps, ...fresh];
};

const writeHandFile = async (file: HandFile): Promise<void> => {
	const {folder, files, path, steps} = file;
	const text = writtenText(file);
	await writeSteps(folder, steps);
	if (text === undefined) {
		await rm(diskPath(files, path), {force: true});
	} else {
		await placeFile(files, path, Buffer.from(text, 'latin1'));
	}
};
