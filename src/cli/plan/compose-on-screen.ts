import {parse, stringify} from 'yaml';
import {Failure} from '../../lib/failure.ts';
import {defined, omit} from '../../lib/values.ts';
import {planFileOf} from '../../rules/plan/plan-file.ts';
import type {State} from '../../state/state.ts';
import {keepEnvironments} from '../../supervisor/machine/environments.ts';
import {nextAgentId} from '../../supervisor/requests/new-subtask.ts';
import type {PlanStart} from '../../tui/controller.ts';
import type {Compose} from '../../tui/model/view.ts';
import type {Config} from '../config/config.ts';
import {type Here, type LastSession, requireActiveSession} from '../here.ts';
import {askSupervisor, eventIn} from '../reach-supervisor.ts';
import {addedBy} from './added-by.ts';
import {beginAgain, beginComposing, type OnStart} from './compose.ts';
import {planAgain} from './plan-again.ts';
import {planBeside, planOf, readAdded, readOneAdded} from './read-added.ts';
import {readPlanText} from './read-plan.ts';

/** Gathers the initial content of a plan's form that is opened over the screen of a session. */
export const composed = (
	here: Here,
	config: Config,
	known: Known,
	compose: Compose,
): Promise<PlanStart> => {
	switch (compose.what) {
		case 'plan':
			return editPlan(here, config, known, compose.item);
		case 'subtask':
			return addOnScreen(here, config, known.state, compose.words);
		case 'handed on':
			return handOnScreen(here, config, known, compose);
		case 'again':
			return beginAgain(here, config, compose, known.onStart);
	}
};

/** The session when the screen was opened, and its current state. */
type Known = {readonly session: LastSession; readonly state: State; readonly onStart: OnStart};

/**
Opens a plan that waits for approval in the form, and hands the changed one in.

The environments of its agents are kept.
*/
const editPlan = async (
	here: Here,
	config: Config,
	{session, state}: Known,
	item: string,
): Promise<PlanStart> => {
	return beginComposing(here, config, {
		purpose: 'edit',
		leftAs: `${item} still waits for you.`,
		begin: {text: await planAgain(config, {folder: session.folder, state})},
		handIn: async (text, file) => {
			const changed = await readPlanText(text, {file, repository: here.repository, config});
			await askSupervisor(here, {do: 'decide', item, choice: 'edit', by: 'user', ...changed});
			return 'The plan is changed.';
		},
	});
};

/**
Opens the subtask of the agent that a choice would add in the form of a plan, and decides the item with it.

Its program gets the environment of the item's agent, unless the person names another agent.
*/
const handOnScreen = async (
	here: Here,
	config: Config,
	{session, state}: Known,
	{item: id, choice}: Extract<Compose, {what: 'handed on'}>,
): Promise<PlanStart> => {
	const added = addedBy(state, id, choice);
	if (added === undefined) {
		throw new Failure('refused', `${id} no longer waits for you.`);
	}

	const {item, draft, dropped} = added;
	const kept = await keepEnvironments(session.folder.environments, () => state);
	const environments = {[draft.id]: kept.get(item.agent)};
	const plan = planBeside(state, draft.id, dropped);
	return beginComposing(here, config, {
		purpose: 'add',
		leftAs: `${id} still waits for you.`,
		...defined({instead: dropped}),
		begin: {
			text: planFileOf(
				{...plan, agents: [...plan.agents, draft]},
				{profiles: config.agents, environments},
			),
			joining: 'the last',
		},
		handIn: async text => {
			const now = await requireActiveSession(here);
			const part = {text: lastPartOf(text), file: 'subtask', dropped};
			const read = omit(await readOneAdded(here, config, now.state, part), 'warnings');
			await askSupervisor(here, {do: 'decide', by: 'user', item: id, choice, ...read});
			return `${id}: ${choice}`;
		},
	});
};

/**
Opens the form of a plan for the subtask of another agent, which joins the session.

The form has the session's whole plan, so that scopes are compared with those of the others, and `after` can name them.
*/
const addOnScreen = (here: Here, config: Config, state: State, words: string): Promise<PlanStart> =>
	beginComposing(here, config, {
		purpose: 'add',
		leftAs: 'No agent was added.',
		begin: {
			text: planFileOf(planOf(state), {profiles: config.agents, environments: {}}),
			joining: {id: nextAgentId(state), words},
		},
		handIn: async text => {
			const now = await requireActiveSession(here);
			const part = {text: lastPartOf(text), file: 'subtask'};
			const read = omit(await readAdded(here, config, now.state, part), 'warnings');
			const event = eventIn(await askSupervisor(here, {do: 'add', ...read}));
			const {subtask = read.subtask, rivals = []} = event.kind === 'user.decided' ? event : {};
			const added = [subtask, ...rivals].map(({id}) => id).join(', ');
			return `${added} ${rivals.length > 0 ? 'join' : 'joins'} the session.`;
		},
	});

/** Returns the last subtask without its id, which is given when it joins: another agent may have joined since. */
const lastPartOf = (text: string): string => {
	const plan: {agents: Record<string, unknown>[]} = parse(text, {stringKeys: true});
	return stringify(omit(plan.agents.at(-1) ?? {}, 'id'));
};
