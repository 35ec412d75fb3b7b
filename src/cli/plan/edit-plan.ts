import {planFileOf} from '../../rules/plan/plan-file.ts';
import type {State} from '../../state/state.ts';
import {keepEnvironments} from '../../supervisor/machine/environments.ts';
import type {Config} from '../config/config.ts';
import type {Here, LastSession} from '../here.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {type Composed, compose} from './compose.ts';
import {readPlanText} from './read-plan.ts';

/**
Lets the person change a plan that waits for its approval, in the form, and hands the changed one in.

What its agents have in their environment is taken along.
*/
export const editPlan = async (
	here: Here,
	config: Config,
	{
		session,
		state,
		item,
	}: {readonly session: LastSession; readonly state: State; readonly item: string},
): Promise<Composed> => {
	const plan = state.session?.plan;
	if (plan === undefined) {
		return {isChanged: false, text: 'There is no plan to change.'};
	}

	const kept = await keepEnvironments(session.folder.environments, () => state);
	const environments = Object.fromEntries(plan.agents.map(({id}) => [id, kept.get(id)]));
	const ending = await compose(here, config, {
		purpose: 'edit',
		begin: {text: planFileOf(plan, {profiles: config.agents, environments})},
		run: async (text, file) => {
			const changed = await readPlanText(text, {file, repository: here.repository, config});
			await askSupervisor(here, {do: 'decide', item, choice: 'edit', by: 'user', ...changed});
		},
	});
	return ending === 'started'
		? {isChanged: true, text: 'The plan is changed.'}
		: {isChanged: false, text: `${item} still waits for you.`};
};
