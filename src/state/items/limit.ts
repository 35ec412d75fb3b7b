import {outcomeByPerson} from '../agent/accept.ts';
import {aborted} from '../agent/cancel.ts';
import type {ItemOf} from '../item.ts';
import {replied} from '../reply.ts';
import {type State, withAgent} from '../state.ts';
import {type Given, type ItemKind, plain} from './kind.ts';
import {abortOffer} from './offers.ts';

/** An agent has used up its time. */
export type LimitItem = {
	readonly agent: string;
	/** What takes too long: its work, or its start. */
	readonly of: 'work' | 'start';
};

export type LimitChoice =
	| {readonly verb: 'extend'}
	| {readonly verb: 'complete'}
	| {readonly verb: 'abort'};

export const limit: ItemKind<'limit'> = {
	...plain,
	offers: (_, item) => [
		{choice: {verb: 'extend'}, label: 'Give it as much time again'},
		...(item.of === 'start'
			? []
			: [{choice: {verb: 'complete'}, label: 'Take its work as finished'} as const]),
		abortOffer,
	],
	holdsUp: () => true,
	title: (_, item) =>
		item.of === 'work'
			? 'Its time is used up'
			: 'Its start takes long: its worktree is still being made and set up',
	decided: (state, item, {verb}, given) => {
		switch (verb) {
			case 'extend':
				return extended(state, item, given);
			case 'complete':
				return withAgent(state, item.agent, agent => ({
					...agent,
					outcome: outcomeByPerson('completed by a person at its time limit'),
				}));
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};

/** A start that is given more time needs no words: nobody is there yet to read them. */
const extended = (state: State, item: ItemOf<'limit'>, {note, at}: Given): State =>
	item.of === 'start'
		? withAgent(state, item.agent, agent => ({...agent, extendedAt: at}))
		: withAgent(
				replied(state, item, {heading: 'TIME EXTENDED', about: '', text: note ?? ''}),
				item.agent,
				agent => ({...agent, timeoutMs: agent.timeoutMs + agent.subtask.timeoutMs}),
			);
