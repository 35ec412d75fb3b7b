import {defined} from '../../lib/defined.ts';
import {omit} from '../../lib/omit.ts';
import {planFileOf} from '../../rules/plan/plan-file.ts';
import type {State} from '../../state/state.ts';
import {keepEnvironments} from '../../supervisor/machine/environments.ts';
import type {Config} from '../config/config.ts';
import {type Here, type LastSession, requireActiveSession} from '../here.ts';
import {type Composed, compose} from '../plan/compose.ts';
import {addedBy} from '../plan/preview-subtask.ts';
import {planBeside, readOneAdded} from '../plan/read-added.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {lastPartOf} from './add-on-screen.ts';

/** An item that adds an agent by one of its choices. */
export type HandingOn = {
	readonly session: LastSession;
	readonly state: State;
	readonly item: string;
	readonly choice: string;
};

/**
Lets the person change, in the form of a plan, the part of the agent that a choice would add, and decides the item with it.

What its program has in its environment is that of the agent that the item is about, where they name no other one.
*/
export const handOnScreen = async (
	here: Here,
	config: Config,
	{session, state, item: id, choice}: HandingOn,
): Promise<Composed> => {
	const added = addedBy(state, id, choice);
	if (added === undefined) {
		return {isChanged: false, text: `${id} does not wait for you any more.`};
	}

	const {item, draft, dropped} = added;
	const kept = await keepEnvironments(session.folder.environments, () => state);
	const environments = {[draft.id]: kept.get(item.agent)};
	const plan = planBeside(state, draft.id, dropped);
	const ending = await compose(here, config, {
		purpose: 'add',
		...defined({instead: dropped}),
		begin: {
			text: planFileOf(
				{...plan, agents: [...plan.agents, draft]},
				{profiles: config.agents, environments},
			),
			joining: 'the last',
		},
		run: async text => {
			const now = await requireActiveSession(here);
			const part = {text: lastPartOf(text), file: 'subtask', dropped};
			const read = omit(await readOneAdded(here, config, now.state, part), 'warnings');
			await askSupervisor(here, {do: 'decide', by: 'user', item: id, choice, ...read});
		},
	});
	return ending === 'started'
		? {isChanged: true, text: `${id}: ${choice}`}
		: {isChanged: false, text: `${id} still waits for you.`};
};
