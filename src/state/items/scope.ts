import {whyForbidden} from '../agent/scope.ts';
import type {ItemOf, ScopeItem} from '../item.ts';
import {replied, withNote} from '../reply.ts';
import {agentOf} from '../select.ts';
import {aborted, type State, withAgent} from '../state.ts';
import {globsIn} from './globs.ts';
import {type ItemKind, plain} from './kind.ts';
import {abortOffer} from './offers.ts';

/** What it asks for, and why. */
export type ScopeDetail = Pick<ScopeItem, 'paths' | 'reason'>;

export type ScopeChoice =
	| {readonly verb: 'once'}
	| {readonly verb: 'widen'}
	| {readonly verb: 'refuse'}
	| {readonly verb: 'abort'};

export const scope: ItemKind<'scope', ScopeChoice, ScopeDetail> = {
	...plain<'once' | 'widen' | 'refuse' | 'abort'>(),
	offers: (state, {agent}) => [
		{choice: {verb: 'once'}, label: 'Allow these paths'},
		{
			choice: {verb: 'widen'},
			label: 'Allow and widen its scope (you edit the globs)',
			note: 'optional',
		},
		{choice: {verb: 'refuse'}, label: 'Stay in the scope', note: 'optional'},
		abortOffer(state, agent),
	],
	holdsUp: () => true,
	whyNot: (state, item, {verb}) => {
		switch (verb) {
			case 'once':
				return whyNotAll(state, item, item.paths);
			case 'widen':
			case 'refuse':
			case 'abort':
				return undefined;
		}
	},
	whyNotWith: (state, item, {verb}, {note}) => {
		switch (verb) {
			case 'widen':
				return whyNotAll(state, item, note === undefined ? item.paths : globsIn(note));
			case 'once':
			case 'refuse':
			case 'abort':
				return undefined;
		}
	},
	called: 'a request for more scope',
	title: (_, {paths}) => `Wants to write outside its scope: ${paths.join(', ')}`,
	detail: (_, {paths, reason}) => ({paths, reason}),
	decided: (state, item, {verb}, {note}) => {
		switch (verb) {
			case 'once':
				return answered(widened(state, item.agent, item.paths), item, 'These paths are allowed.');
			case 'widen': {
				const globs = note === undefined ? item.paths : globsIn(note);
				return answered(
					widened(state, item.agent, globs),
					item,
					`Your scope now includes ${globs.join(', ')}.`,
				);
			}

			case 'refuse':
				return answered(state, item, withNote('Refused: stay in your scope.', note));
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};

const whyNotAll = (
	state: State,
	{agent: id}: ItemOf<'scope'>,
	globs: readonly string[],
): string | undefined => {
	const agent = agentOf(state, id);
	return agent === undefined
		? undefined
		: globs.map(glob => whyForbidden(id, agent.subtask.scope, glob)).find(why => why !== undefined);
};

const answered = (state: State, item: ItemOf<'scope'>, text: string): State =>
	replied(state, item, {heading: 'SCOPE DECISION', about: item.paths.join(', '), text});

const widened = (state: State, id: string, globs: readonly string[]): State =>
	withAgent(state, id, agent => ({
		...agent,
		subtask: {
			...agent.subtask,
			scope: {...agent.subtask.scope, allowed: [...agent.subtask.scope.allowed, ...globs]},
		},
	}));
