import {defined} from '../../lib/values.ts';
import type {Access} from '../agent/agent.ts';
import {whyForbidden} from '../agent/scope.ts';
import type {ItemOf, ScopeItem} from '../item.ts';
import {replied, withNote} from '../reply.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import {globsIn} from './globs.ts';
import {itemKind} from './kind.ts';
import {aborting} from './offers.ts';

export type ScopeDetail = Pick<ScopeItem, 'paths' | 'reason' | 'access'>;

export type ScopeChoice =
	| {readonly verb: 'once' | 'widen' | 'refuse' | 'abort'}
	/** Allows the denied access for its next process, or for the rest of the session. */
	| {readonly verb: 'open' | 'session'};

export const scope = itemKind<'scope', ScopeChoice, ScopeDetail>({
	choices: {
		once: {
			offer: (_, {access}) => (access === undefined ? {label: 'Allow these paths'} : undefined),
			whyNot: (state, item) => whyNotAll(state, item, item.paths),
			decided: (state, item) =>
				answered(widened(state, item.agent, item.paths), item, 'These paths are allowed.'),
		},
		open: {
			offer: (_, {access}) => access && {label: `Let it ${access} there when it is next started`},
			decided: (state, item) => withAccess(state, item, 'once'),
		},
		session: {
			offer: (_, {access}) =>
				access && {
					label: `Let it ${access} there for the rest of the session, from its next start on`,
				},
			decided: (state, item) => withAccess(state, item, 'session'),
		},
		widen: {
			offer: (_, {access}) =>
				access === undefined
					? {label: 'Allow and widen its scope (you edit the globs)', note: 'optional'}
					: undefined,
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
			offer: (_, {access}) => ({
				label: access === undefined ? 'Stay in the scope' : 'Keep it closed, and don’t ask again',
				note: 'optional',
			}),
			decided: (state, item, {note}) =>
				item.access === undefined
					? answered(state, item, withNote('Refused: stay in your scope.', note))
					: withAccess(state, item, 'never', note),
		},
		abort: aborting,
	},
	holdsUp: ({access}) => access === undefined,
	called: 'a request for more scope',
	title: (_, {paths, access}) =>
		access === undefined
			? `Wants to write outside its scope: ${paths.join(', ')}`
			: `Was kept from ${deniedWords[access]}: ${paths.join(', ')}`,
	detail: (_, {paths, reason, access}) => ({paths, reason, ...defined({access})}),
});

export const deniedWords = {
	read: 'reading outside its worktree',
	write: 'writing outside its worktree',
	connect: 'connecting',
} as const;

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

/** Records the answer. An agent that has finished is told nothing, since a message would start it again. */
const withAccess = (
	state: State,
	item: ItemOf<'scope'>,
	granted: Access['granted'],
	note?: string,
): State => {
	const {agent: id, paths, access: to = 'read'} = item;
	const fresh = paths.map(path => ({
		...{path, to, granted},
		...(granted === 'never' ? {} : {isNew: true as const}),
	}));
	const known = withAgent(state, id, agent => ({
		...agent,
		access: [...(agent.access ?? []), ...fresh],
	}));
	const text =
		granted === 'never'
			? `${paths.join(', ')} stays closed to you; go on without it.`
			: `You may ${to === 'connect' ? 'connect to' : to} ${paths.join(', ')} from your next start on${granted === 'once' ? ', until you are started again' : ''}.`;
	return agentOf(state, id)?.outcome === undefined
		? replied(known, item, {heading: 'MESSAGE', about: '', text: withNote(text, note)})
		: known;
};

const widened = (state: State, id: string, globs: readonly string[]): State =>
	withAgent(state, id, agent => ({
		...agent,
		subtask: {
			...agent.subtask,
			scope: {...agent.subtask.scope, allowed: [...agent.subtask.scope.allowed, ...globs]},
		},
	}));
