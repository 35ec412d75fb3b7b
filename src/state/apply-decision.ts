import type {Event} from '../events/event.ts';
import type {Plan} from '../events/plan.ts';
import {newAgent} from './agent.ts';
import {agentItemDecided, doom} from './apply-agent-decision.ts';
import {settingsAgreed} from './apply-git-settings.ts';
import {conflictDecided, resultDecided} from './apply-merge.ts';
import type {Item} from './item.ts';
import {isSettled, itemOf} from './select.ts';
import {type Session, type State, withItem, withNewAgent, withoutItems} from './state.ts';

type Decided = Extract<Event, {kind: 'user.decided'}>;

/** A person decided; the item is closed, unless the choice was only to look at it later. */
export const decided = (state: State, event: Decided): State => {
	if (event.item === 'session') {
		return sessionDecided(state, event);
	}

	const item = itemOf(state, event.item);
	if (!item) {
		return state;
	}

	if (event.choice === 'snooze') {
		const others = state.items.filter(({id}) => id !== item.id);
		return {...state, items: [...others, item]};
	}

	if (item.kind === 'conflict') {
		return conflictDecided(state, event, item);
	}

	return itemDecided(
		withoutItems(state, ({id}) => id === item.id),
		event,
		item,
	);
};

const sessionDecided = (state: State, event: Decided): State => {
	if (!state.session) {
		return state;
	}

	if (event.choice === 'add' && event.subtask) {
		return withNewAgent(state, newAgent(event.subtask, event.at));
	}

	return event.choice === 'stop' ? stopped(state) : state;
};

/** All work is kept. Where everybody's part was settled there was nothing left to give up, which is a good end. */
const stopped = (state: State): State => ({
	...withoutItems(state, () => true),
	session: state.session && {
		...state.session,
		stopping: state.agents.every(isSettled) ? 'COMPLETE' : 'ABORTED',
	},
	agents: state.agents.map(agent => doom(agent, 'the session was stopped')),
});

const itemDecided = (
	state: State,
	event: Decided,
	item: Exclude<Item, {kind: 'conflict'}>,
): State => {
	switch (item.kind) {
		case 'plan':
			return planDecided(state, event);
		case 'verify':
		case 'approval':
			return resultDecided(settingsAgreed(state, event, item), event, item);
		default:
			return agentItemDecided(state, event, item);
	}
};

const planDecided = (state: State, event: Decided): State => {
	if (!state.session) {
		return state;
	}

	switch (event.choice) {
		case 'approve':
			return {...state, session: {...state.session, approved: true}};
		case 'edit':
			return event.plan === undefined ? state : edited(state, state.session, event.plan, event);
		default:
			return {
				...state,
				agents: state.agents.map(agent => doom(agent, 'the plan was rejected')),
			};
	}
};

/** A plan with warnings that nobody has seen yet waits for its own approval. */
const edited = (
	state: State,
	session: Session,
	plan: Plan,
	{warnings = [], at}: Decided,
): State => {
	const approved = warnings.length === 0;
	const taken: State = {
		...state,
		session: {...session, plan, warnings, approved},
		agents: plan.agents.map(subtask => newAgent(subtask, at)),
	};
	return approved ? taken : withItem(taken, {kind: 'plan'});
};
