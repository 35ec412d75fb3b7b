import {tipOf} from '../../git/branch.ts';
import type {Command, Decision} from '../../rules/command.ts';
import type {ItemOf} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {seeResolution} from '../perform/resolution.ts';
import {subtaskFor} from '../requests/new-subtask.ts';
import type {Works, World} from '../world.ts';

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
			const tip = await tipOf(world.repository, state.session?.target ?? '');
			return {...decision, seen: tip === undefined ? {} : {tip}};
		}

		case 'conflict':
			return withResolution(world, item, decision);
		case 'delegation':
		case 'blocker':
			return withSubtask(state, decision, item.agent);
		default:
			return decision;
	}
};

/** What a person made of a conflict by hand is looked at only where it is to be taken. */
export const withResolution = async (
	works: Works,
	item: ItemOf<'conflict'>,
	decision: Decision,
): Promise<Decision> =>
	decision.choice === 'done' ? {...decision, seen: await seeResolution(works, item)} : decision;

/** An agent that is added on another's request starts from that one's scope and command. */
const withSubtask = (state: State, decision: Decision, asker: string): Decision => {
	const item = itemOf(state, decision.item);
	const adds =
		(item?.kind === 'delegation' && decision.choice !== 'reject') ||
		(item?.kind === 'blocker' && decision.choice === 'delegate');
	if (!adds || decision.subtask !== undefined) {
		return decision;
	}

	const described =
		item?.kind === 'delegation' ? item.task : item?.kind === 'blocker' ? item.details : '';
	const task =
		decision.choice === 'edit' || item?.kind === 'blocker'
			? (decision.note ?? described)
			: described;
	const subtask = subtaskFor(state, task, asker);
	return subtask === undefined ? decision : {...decision, subtask};
};
