import type {Asker, Event} from '../../events/event.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {omit} from '../../lib/omit.ts';
import {choicesOf} from '../../rules/commands/choices.ts';
import type {Command, Decision} from '../../rules/commands/command.ts';
import {hintForGone} from '../../rules/commands/hint.ts';
import {readDecision} from '../../rules/commands/read-decision.ts';
import {whyGone, whyNot} from '../../rules/commands/why-not.ts';
import {agentOf, agentOfItem, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {answerByHand} from '../by-hand/answer-by-hand.ts';
import {gather} from '../merging/gather.ts';
import type {RunningSession} from '../session.ts';
import {show} from '../show/show.ts';
import {capture} from '../worktree/capture.ts';
import type {Environments, World} from '../world.ts';
import {addCommand} from './joining/add-command.ts';
import type {StartRequest, SupervisorRequest} from './request.ts';

type SessionRequest = Exclude<SupervisorRequest, StartRequest | {do: 'undo'}>;

/** Answers what is asked of a running session. */
export const answerRequest = async (
	{world, loop}: RunningSession,
	request: SessionRequest,
	asker?: Asker,
): Promise<unknown> => {
	// Whoever asks may have read what is written and about to be believed.
	await loop.append([]);
	const state = loop.state();
	switch (request.do) {
		case 'show':
			return show(world, state, request);
		case 'by-hand':
			return answerByHand(world, state, request);
		case 'capture': {
			const agent = agentOf(state, request.agent);
			await world.append(agent === undefined ? [] : await capture(world, agent, 'a look at it'));
			return null;
		}
		case 'wait':
			return null;
		case 'stop':
			return granted(await loop.ask({kind: 'stop'}, asker));
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
			// Its id, and what is kept under it, are its own only if nobody else joins meanwhile.
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

/** Nothing else is decided in passing. */
const questionsOnly = (commands: readonly Command[]): readonly Decision<'question'>[] =>
	commands.map(command => {
		if (command.kind !== 'decide' || command.on !== 'question') {
			throw new Failure('usage', 'Only questions are answered together.');
		}

		return command;
	});

const granted = (event: Event): {event: Event} => ({event});

/** What agents need must be there when a plan, or one agent more, is believed; a decision that is refused anyway brings nothing. */
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
		// An agent that is modelled on another one starts with the values of that one.
		const item = itemOf(state, command.item);
		const like = item === undefined ? undefined : agentOfItem(item);
		const named = given.environment ?? given.environments?.[subtask.id];
		const own = named ?? (like === undefined ? undefined : environments.get(like));
		// One that nothing was given to starts with the values of its profile.
		if (own !== undefined) {
			await environments.keepOf(subtask.id, own);
		}
	}
};

type Typed = Omit<Extract<SessionRequest, {do: 'decide'}>, 'do' | 'environments' | 'environment'>;

/** Reads a decision by the item that it is about. A choice that no such item has is a mistake of whoever typed it, not a refusal. */
const commandOf = (
	state: State,
	{item: id, choice, by, note, plan, warnings, subtask, patch, picked, program}: Typed,
): Command => {
	const item = itemOf(state, id);
	if (item === undefined) {
		throw new Failure('refused', whyGone(state, id), {hint: hintForGone(state)});
	}

	const typed = {
		item: id,
		choice,
		by,
		...defined({note, plan, warnings, subtask, patch, picked, program}),
	};
	const command = readDecision(state, item, typed);
	if (command === undefined) {
		const listed = choicesOf(state, item).map(offered => offered.choice);
		throw new Failure('usage', `"${choice}" is not a choice for ${id}.`, {
			hint: `take one of: ${listed.join(', ')}`,
		});
	}

	return command;
};
