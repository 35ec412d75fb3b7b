import {tipOf} from '../../git/repository/branch.ts';
import {defined} from '../../lib/defined.ts';
import type {Command, Decision} from '../../rules/commands/command.ts';
import type {ItemOf} from '../../state/item.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {arbiterSubtask} from '../arbiter/arbiter-subtask.ts';
import {seeProposal} from '../arbiter/see-proposal.ts';
import {seeResolution} from '../perform/resolution.ts';
import {draftFor} from '../requests/new-subtask.ts';
import {pickedWork} from '../requests/picked-work.ts';
import {seeAnswer} from '../requests/see-answer.ts';
import {requireSession} from '../require-session.ts';
import type {Works, World} from '../world.ts';
import {inputOf} from './ground.ts';

/**
Looks at the world on behalf of a decision, so that the rules can judge it with facts.

Whoever asks can't bring these facts along: they are what the supervisor itself has just found.
*/
export const gather = async (world: World, state: State, command: Command): Promise<Command> => {
	if (command.kind !== 'decide') {
		return command;
	}

	const {seen: _, ...decision} = command;
	const item = itemOf(state, command.item);
	switch (item?.kind) {
		case 'approval': {
			const tip = await tipOf(world.repository, requireSession(state).target);
			return {...decision, seen: tip === undefined ? {} : {tip}};
		}

		case 'conflict':
			return withArbiterSubtask(state, item, await withResolution(world, state, item, decision));
		case 'question':
			return withAnswer(world, state, item, decision);
		case 'delegation':
		case 'blocker':
			return withSubtask(state, decision, item);
		case 'failure':
			return withPicked(world, state, item, withSubtask(state, decision, item));
		case 'review':
			return withPicked(world, state, item, decision);
		default:
			return decision;
	}
};

/** What a person or an arbiter made of a conflict is looked at only where it is to be taken. */
export const withResolution = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	decision: Decision,
): Promise<Decision> => {
	if (decision.on !== 'conflict') {
		return decision;
	}

	const {choice} = decision;
	switch (choice.verb) {
		case 'done':
			return {...decision, seen: await seeResolution(works, item)};
		case 'take':
			return {...decision, seen: await seeProposal(works, state, item, choice.agent)};
		default:
			return decision;
	}
};

/** Who is to settle a conflict may write that alone, whatever else came with the decision. */
const withArbiterSubtask = (
	state: State,
	item: ItemOf<'conflict'>,
	{subtask: _, ...decision}: Decision,
): Decision => {
	if (decision.on !== 'conflict' || decision.choice.verb !== 'arbiter') {
		return decision;
	}

	const {as} = decision.choice;
	const {note, program} = decision;
	const subtask = arbiterSubtask(state, item, {as, ...defined({program, note})});
	return {...decision, ...defined({subtask})};
};

/** Of an agent's work a patch may take a part; a choice that takes nothing of it needs no patch. */
export const withPicked = async (
	{store}: Works,
	state: State,
	{agent: id}: ItemOf<'failure'> | ItemOf<'review'>,
	decision: Decision,
): Promise<Decision> => {
	const {patch, choice} = decision;
	const agent = agentOf(state, id);
	const input = agent && inputOf(agent);
	if (patch === undefined || input === undefined || !takesWork(choice)) {
		return decision;
	}

	return {...decision, seen: {files: await pickedWork(store, input, Buffer.from(patch, 'latin1'))}};
};

const takesWork = ({verb}: Decision['choice']): boolean => verb === 'salvage' || verb === 'merge';

/** An answer is held against what its question asks for. */
export const withAnswer = async (
	{folder}: Pick<World, 'folder'>,
	state: State,
	{question, agent}: ItemOf<'question'>,
	decision: Decision,
): Promise<Decision> => {
	const {scope} = agentOf(state, agent)?.subtask ?? {};
	if (decision.on !== 'question' || scope === undefined) {
		return decision;
	}

	const place = {tree: folder.agent(agent).tree, scope};
	return {...decision, seen: {answer: await seeAnswer(question, decision.choice.text, place)}};
};

/** An agent that is added on another's request starts from that one's scope and command. */
const withSubtask = (state: State, decision: Decision, item: Request): Decision => {
	const draft = draftFor(state, item, decision.choice.verb, decision.note);
	const subtask = draft && (decision.subtask ?? draft);
	return subtask === undefined ? decision : {...decision, subtask};
};

type Request = ItemOf<'delegation'> | ItemOf<'blocker'> | ItemOf<'failure'>;
