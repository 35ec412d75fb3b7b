import {parse, stringify} from 'yaml';
import {omit} from '../../lib/omit.ts';
import {planFileOf} from '../../rules/plan/plan-file.ts';
import type {State} from '../../state/state.ts';
import {nextAgentId} from '../../supervisor/requests/new-subtask.ts';
import type {Config} from '../config/config.ts';
import {eventIn} from '../event-in.ts';
import {type Here, requireActiveSession} from '../here.ts';
import {type Composed, compose} from '../plan/compose.ts';
import {planOf, readAdded} from '../plan/read-added.ts';
import {askSupervisor} from '../reach-supervisor.ts';

/**
Lets the person write the part of one more agent in the form of a plan, and lets that agent join the session.

The form has the session's whole plan behind it, so that scopes are compared with those of the others, and agents to wait for are known.
*/
export const addOnScreen = async (
	here: Here,
	config: Config,
	{state, words}: {readonly state: State; readonly words: string},
): Promise<Composed> => {
	let added = '';
	const ending = await compose(here, config, {
		purpose: 'add',
		begin: {
			text: planFileOf(planOf(state), {profiles: config.agents, environments: {}}),
			joining: {id: nextAgentId(state), words},
		},
		run: async text => {
			const now = await requireActiveSession(here);
			const part = {text: lastPartOf(text), file: 'subtask'};
			const read = omit(await readAdded(here, config, now.state, part), 'warnings');
			const event = eventIn(await askSupervisor(here, {do: 'add', ...read}));
			const {subtask = read.subtask, rivals = []} = event.kind === 'user.decided' ? event : {};
			added = [subtask, ...rivals].map(({id}) => id).join(', ');
		},
	});
	return ending === 'started'
		? {isChanged: true, text: `${added} ${added.includes(',') ? 'join' : 'joins'} the session.`}
		: {isChanged: false, text: 'No agent was added.'};
};

/** The id is given where it joins: another one may have joined since. */
export const lastPartOf = (text: string): string => {
	const plan: {agents: Record<string, unknown>[]} = parse(text, {stringKeys: true});
	return stringify(omit(plan.agents.at(-1) ?? {}, 'id'));
};
