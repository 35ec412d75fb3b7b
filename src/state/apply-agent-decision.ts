import type {Event} from '../events/event.ts';
import type {Reply} from '../events/reply.ts';
import {type Agent, newAgent, type Outcome} from './agent.ts';
import {listIn, splitChoice} from './choice.ts';
import type {Item, ItemOf} from './item.ts';
import {type State, withAgent, withNewAgent, withoutAttempts, withoutItems} from './state.ts';
import {voidMerge} from './void-merge.ts';

type Decided = Extract<Event, {kind: 'user.decided'}>;

/** An item that is about one agent. */
type AgentItem = Extract<Item, {agent: string}>;

/** A person decided what an agent waits for: it becomes a reply to it, or a verdict on it. */
export const agentItemDecided = (state: State, event: Decided, item: AgentItem): State => {
	switch (item.kind) {
		case 'question':
			return questionDecided(state, event, item);
		case 'checkpoint':
			return checkpointDecided(state, event, item);
		case 'blocker':
			return blockerDecided(state, event, item);
		case 'delegation':
			return delegationDecided(state, event, item);
		case 'scope':
			return scopeDecided(state, event, item);
		case 'permission':
			return permissionDecided(state, event, item);
		case 'review':
			return reviewDecided(state, event, item);
		case 'limit':
			return limitDecided(state, event, item);
		case 'failure':
			return failureDecided(state, event, item);
	}
};

/** Takes an agent out of the session; its work stays pinned. */
export const doom = (agent: Agent, why: string): Agent => ({
	...agent,
	verdict: {kind: 'doomed', why},
});

/** Work is accepted as it stands: a worktree that was still to be set back stays as it is. */
const accepted = ({restore: _, ...agent}: Agent, only: readonly string[]): Agent => ({
	...agent,
	verdict: {kind: 'accepted', only},
});

const questionDecided = (state: State, event: Decided, item: ItemOf<'question'>): State => {
	const eased: State = item.anyAnswer
		? {
				...state,
				items: state.items.map(other =>
					other.kind === 'question' && other.agent === item.agent && other.group === item.group
						? {...other, holds: false}
						: other,
				),
			}
		: state;
	return replied(eased, item, {
		heading: 'CLARIFICATION RESPONSE',
		about: item.question.question,
		text: joined(event.choice, event.note),
		...(item.question.id === undefined ? {} : {question: item.question.id}),
	});
};

const checkpointDecided = (state: State, event: Decided, item: ItemOf<'checkpoint'>): State => {
	const {verb, argument} = splitChoice(event.choice);
	const reviewed = {heading: 'CHECKPOINT REVIEWED', about: ''} as const;
	switch (verb) {
		case 'continue':
		case 'help':
			return replied(state, item, {...reviewed, text: event.note ?? ''});
		case 'restore':
			return withAgent(
				replied(state, item, {
					...reviewed,
					text: joined(`Your worktree was set back to snapshot ${argument}.`, event.note),
				}),
				item.agent,
				agent => ({...agent, restore: Number(argument)}),
			);
		case 'merge':
			return withAgent(state, item.agent, agent => ({
				...accepted(agent, []),
				outcome: byPerson('a person accepted its work at a checkpoint'),
			}));
		default:
			return aborted(state, item.agent);
	}
};

const byPerson = (why: string): Outcome => ({to: 'COMPLETE', why, by: 'person'});

const blockerDecided = (state: State, event: Decided, item: ItemOf<'blocker'>): State => {
	const about = item.details;
	switch (event.choice) {
		case 'resolved':
			return replied(state, item, {heading: 'BLOCKER RESOLVED', about, text: event.note ?? ''});
		case 'retry':
			return replied(state, item, {heading: 'ERROR FIXED', about, text: event.note ?? ''});
		case 'skip':
			return replied(state, item, {heading: 'SKIP', about, text: event.note ?? ''});
		case 'delegate':
			return event.subtask === undefined
				? state
				: replied(withDelegate(state, event, item.agent), item, {
						heading: 'PARTIAL RESUME',
						about,
						text: joined(`${event.subtask.id} takes over: ${event.subtask.subtask}`, event.note),
					});
		default:
			return aborted(state, item.agent);
	}
};

const withDelegate = (state: State, {subtask, at}: Decided, requestedBy: string): State =>
	subtask === undefined ? state : withNewAgent(state, newAgent(subtask, at, requestedBy));

const delegationDecided = (state: State, event: Decided, item: ItemOf<'delegation'>): State =>
	event.choice === 'reject' || event.subtask === undefined
		? replied(state, item, {
				heading: 'DELEGATION REJECTED',
				about: item.task,
				text: event.note ?? '',
			})
		: replied(withDelegate(state, event, item.agent), item, {
				heading: 'DELEGATION APPROVED',
				about: item.task,
				text: joined(`New agent: ${event.subtask.id}`, event.note),
			});

const scopeDecided = (state: State, event: Decided, item: ItemOf<'scope'>): State => {
	const about = item.paths.join(', ');
	const answer = (text: string) => ({heading: 'SCOPE DECISION', about, text}) as const;
	switch (event.choice) {
		case 'once':
			return replied(
				widened(state, item.agent, item.paths),
				item,
				answer('These paths are allowed.'),
			);
		case 'widen': {
			const globs = event.note === undefined ? item.paths : listIn(event.note);
			return replied(
				widened(state, item.agent, globs),
				item,
				answer(`Your scope now includes ${globs.join(', ')}.`),
			);
		}
		case 'refuse':
			return replied(state, item, answer(joined('Refused: stay in your scope.', event.note)));
		default:
			return aborted(state, item.agent);
	}
};

/** The request that waits is answered in its turn; in no other turn would the words mean anything. */
const permissionDecided = (state: State, event: Decided, item: ItemOf<'permission'>): State =>
	event.choice === 'abort'
		? aborted(state, item.agent)
		: withAgent(state, item.agent, agent => ({
				...agent,
				permits: [
					...agent.permits,
					{
						item: item.id,
						request: item.request,
						allowed: event.choice === 'once',
						...(event.note === undefined ? {} : {note: event.note}),
					},
				],
			}));

const widened = (state: State, id: string, globs: readonly string[]): State =>
	withAgent(state, id, agent => ({
		...agent,
		subtask: {
			...agent.subtask,
			scope: {...agent.subtask.scope, allowed: [...agent.subtask.scope.allowed, ...globs]},
		},
	}));

const reviewDecided = (state: State, event: Decided, item: ItemOf<'review'>): State => {
	switch (event.choice) {
		case 'merge':
			return withAgent(voidMerge(state, [item.agent]), item.agent, agent => accepted(agent, []));
		case 'feedback':
			// What failed when it was sent back before is tried anew, or this feedback would never reach it.
			return replied(withoutAttempts(state, item.agent), item, {
				heading: 'REVIEW FEEDBACK',
				about: '',
				text: event.note ?? '',
			});
		default:
			return aborted(state, item.agent);
	}
};

const limitDecided = (state: State, event: Decided, item: ItemOf<'limit'>): State => {
	switch (event.choice) {
		case 'extend':
			// A start that is given more time needs no words: nobody is there yet to read them.
			if (item.of === 'start') {
				return withAgent(state, item.agent, agent => ({...agent, extendedAt: event.at}));
			}

			return withAgent(
				replied(state, item, {heading: 'TIME EXTENDED', about: '', text: event.note ?? ''}),
				item.agent,
				agent => ({...agent, timeoutMs: agent.timeoutMs + agent.subtask.timeoutMs}),
			);
		case 'complete':
			return withAgent(state, item.agent, agent => ({
				...agent,
				outcome: byPerson('completed by a person at its time limit'),
			}));
		default:
			return aborted(state, item.agent);
	}
};

const failureDecided = (state: State, event: Decided, item: ItemOf<'failure'>): State => {
	const {verb, argument} = splitChoice(event.choice);
	return withAgent(voidMerge(state, [item.agent]), item.agent, agent => {
		switch (verb) {
			case 'retry':
				return {...agent, verdict: {kind: 'retried', from: null}};
			case 'retry-from':
				return {...agent, verdict: {kind: 'retried', from: Number(argument)}};
			case 'salvage':
				return accepted(agent, listIn(event.note ?? ''));
			default:
				return doom(agent, 'abandoned');
		}
	});
};

const aborted = (state: State, id: string): State =>
	withAgent(
		withoutItems(state, item => 'agent' in item && item.agent === id),
		id,
		agent => doom(agent, 'aborted by a person'),
	);

const replied = (state: State, item: Item & {agent: string}, reply: Omit<Reply, 'item'>): State =>
	withAgent(state, item.agent, agent => ({
		...agent,
		replies: [...agent.replies, {item: item.id, ...reply}],
	}));

const joined = (first: string, note: string | undefined): string =>
	note === undefined ? first : `${first}\n${note}`;
