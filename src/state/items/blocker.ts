import type {Reply} from '../../events/reply.ts';
import {defined} from '../../lib/defined.ts';
import type {Signal} from '../../signals/index.ts';
import {newAgent} from '../agent/agent.ts';
import {aborted} from '../agent/cancel.ts';
import {stoodOf} from '../agent/stood.ts';
import type {ItemOf} from '../item.ts';
import {replied} from '../reply.ts';
import {type Skipped, withSkipped} from '../skipped.ts';
import {type State, withAgent, withNewAgent} from '../state.ts';
import {type Given, type ItemKind, plain} from './kind.ts';
import {abortOffer, retriesFrom, retryWords, whyNotAdd} from './offers.ts';

/** An agent stopped its work, since something keeps it from going on. */
export type BlockerItem = {
	readonly agent: string;
	readonly details: string;
	/** All that it said, where it stopped for this and did not only name it at a checkpoint. */
	readonly said?: StopWork;
};

/** What the agent said of it, as it said it. */
export type BlockerDetail = {readonly details: string} & Partial<
	Pick<
		StopWork,
		'blocker_type' | 'stop_reason' | 'blocked_work' | 'resume_requirements' | 'state_snapshot'
	>
>;

type StopWork = Extract<Signal, {kind: 'stop_work'}>;

export type BlockerChoice =
	| {readonly verb: 'resolved'}
	| {readonly verb: 'retry'}
	| {readonly verb: 'retry-from'; readonly snapshot: number}
	| {readonly verb: 'skip'}
	| {readonly verb: 'delegate'}
	| {readonly verb: 'abort'};

export const blocker: ItemKind<'blocker'> = {
	...plain,
	offers: (state, {agent}) => [
		{choice: {verb: 'resolved'}, label: 'The blocker is gone', note: 'optional'},
		{choice: {verb: 'retry'}, label: 'Try again from here', note: 'optional'},
		{choice: {verb: 'skip'}, label: 'Skip it and go on', note: 'optional'},
		{choice: {verb: 'delegate'}, label: 'Give this part to another agent', note: 'optional'},
		...retriesFrom(state, agent, 'Set its worktree back and try again from'),
		abortOffer,
	],
	words: retryWords,
	holdsUp: () => true,
	whyNotWith: (state, _, {verb}, {subtask}) => {
		if (verb !== 'delegate') {
			return undefined;
		}

		return subtask === undefined
			? 'To delegate a blocked part needs the subtask of its agent.'
			: whyNotAdd(state, subtask.id);
	},
	title: (_, {details}) => `Blocked: ${details}`,
	detail: (_, {details, said}) => ({
		details,
		...defined({
			blocker_type: said?.blocker_type,
			stop_reason: said?.stop_reason,
			blocked_work: said?.blocked_work,
			resume_requirements: said?.resume_requirements,
			state_snapshot: said?.state_snapshot,
		}),
	}),
	decided: (state, item, choice, given) => {
		const told = {...saidIn(item), text: given.note ?? ''};
		switch (choice.verb) {
			case 'resolved':
				return replied(state, item, {heading: 'BLOCKER RESOLVED', ...told});
			case 'retry':
				return replied(state, item, {heading: 'ERROR FIXED', ...told});
			case 'retry-from':
				return withAgent(
					replied(state, item, {heading: 'ERROR FIXED', ...told, from: choice.snapshot}),
					item.agent,
					agent => ({...agent, restore: choice.snapshot}),
				);
			case 'skip':
				return replied(withSkipped(state, skippedIn(item, given)), item, {
					heading: 'SKIP',
					...told,
				});
			case 'delegate':
				return delegated(state, item, given);
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};

/** What its agent said, for the prompt that takes its work up again. */
const saidIn = ({details, said}: ItemOf<'blocker'>): Omit<Reply, 'item' | 'heading' | 'text'> => ({
	about: details,
	...defined({
		work: said?.blocked_work,
		stood: said === undefined ? undefined : stoodOf(said),
	}),
});

const skippedIn = ({id, agent, details, said}: ItemOf<'blocker'>, {at, note}: Given): Skipped => ({
	...{at, agent, item: id, what: said?.blocked_work ?? details, why: details},
	...defined({note}),
});

/** A note is what the new agent is to do, and so it stands in its subtask already. */
const delegated = (state: State, item: ItemOf<'blocker'>, {subtask, at}: Given): State =>
	subtask === undefined
		? state
		: replied(withNewAgent(state, newAgent(subtask, at, {by: item.agent})), item, {
				heading: 'PARTIAL RESUME',
				...saidIn(item),
				text: '',
				newAgent: {id: subtask.id, subtask: subtask.subtask},
			});
