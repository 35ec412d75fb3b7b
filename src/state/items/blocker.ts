import {defined} from '../../lib/defined.ts';
import type {Signal} from '../../signals/index.ts';
import {newAgent} from '../agent/agent.ts';
import {aborted} from '../agent/cancel.ts';
import {replied, withNote} from '../reply.ts';
import {withNewAgent} from '../state.ts';
import {type ItemKind, plain} from './kind.ts';
import {abortOffer, whyNotAdd} from './offers.ts';

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
	| {readonly verb: 'skip'}
	| {readonly verb: 'delegate'}
	| {readonly verb: 'abort'};

export const blocker: ItemKind<'blocker'> = {
	...plain,
	offers: () => [
		{choice: {verb: 'resolved'}, label: 'The blocker is gone', note: 'optional'},
		{choice: {verb: 'retry'}, label: 'Try again from here', note: 'optional'},
		{choice: {verb: 'skip'}, label: 'Skip it and go on', note: 'optional'},
		{choice: {verb: 'delegate'}, label: 'Give this part to another agent', note: 'optional'},
		abortOffer,
	],
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
	decided: (state, item, {verb}, {note, subtask, at}) => {
		const about = item.details;
		const text = note ?? '';
		switch (verb) {
			case 'resolved':
				return replied(state, item, {heading: 'BLOCKER RESOLVED', about, text});
			case 'retry':
				return replied(state, item, {heading: 'ERROR FIXED', about, text});
			case 'skip':
				return replied(state, item, {heading: 'SKIP', about, text});
			case 'delegate':
				return subtask === undefined
					? state
					: replied(withNewAgent(state, newAgent(subtask, at, item.agent)), item, {
							heading: 'PARTIAL RESUME',
							about,
							text: withNote(`${subtask.id} takes over: ${subtask.subtask}`, note),
						});
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};
