import {whyForbidden} from '../agent/scope.ts';
import type {ItemOf, ScopeItem} from '../item.ts';
import {replied, withNote} from '../reply.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import {globsIn} from './globs.ts';
import {itemKind} from './kind.ts';
import {aborting} from './offers.ts';

/** What it asks for, and why. */
export type ScopeDetail = Pick<ScopeItem, 'paths' | 'reason'>;

export type ScopeChoice =
	| {readonly verb: 'once'}
	| {readonly verb: 'widen'}
	| {readonly verb: 'refuse'}
	| {readonly verb: 'abort'};

export const scope = itemKind<'scope', ScopeChoice, ScopeDetail>({
	choices: {
		once: {
			offer: {label: 'Allow these paths'},
			whyNot: (state, item) => whyNotAll(state, item, item.paths),
			decided: (state, item) =>
				answered(widened(state, item.agent, item.paths), item, 'These paths are allowed.'),
		},
		widen: {
			offer: {label: 'Allow and widen its scope (you edit the globs)', note: 'optional'},
			whyNotWith: (state, item, {note}) => whyNotAll(state, item, globsOf(item, note)),
			decided: (state, item, {note}) => {
				const globs = globsOf(item, note);
				return answered(
					widened(state, item.agent, globs),
					item,
					`Your scope now includes ${globs.join(', ')}.`,
				);
			},
		},
		refuse: {
			offer: {label: 'Stay in the scope', note: 'optional'},
			decided: (state, item, {note}) =>
				answered(state, item, withNote('Refused: stay in your scope.', note)),
		},
		abort: aborting,
	},
	holdsUp: () => true,
	called: 'a request for more scope',
	title: (_, {paths}) => `Wants to write outside its scope: ${paths.join(', ')}`,
	detail: (_, {paths, reason}) => ({paths, reason}),
});

const globsOf = ({paths}: ItemOf<'scope'>, note: string | undefined): readonly string[] =>
	note === undefined ? paths : globsIn(note);

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
