import {defined} from '../../lib/values.ts';
import {proposedPattern, whyBadPattern, whyNoAllowance, wordsBeyond} from '../agent/allowance.ts';
import type {ItemOf, PermissionItem} from '../item.ts';
import {aborted, type State, withAgent} from '../state.ts';
import {type ItemKind, type Offer, plain} from './kind.ts';
import {abortOffer} from './offers.ts';

export type PermissionDetail = Pick<PermissionItem, 'command' | 'paths'>;

export type PermissionChoice =
	| {readonly verb: 'once'}
	/** For the rest of the session, all commands of the pattern that its note names, or of the one that is proposed. */
	| {readonly verb: 'always' | 'always-all'}
	| {readonly verb: 'refuse'}
	| {readonly verb: 'abort'};

export const permission: ItemKind<'permission', PermissionChoice, PermissionDetail> = {
	...plain<'once' | 'always' | 'always-all' | 'refuse' | 'abort'>(),
	offers: (state, {agent, command}) => [
		{choice: {verb: 'once'}, label: 'Let it do this, this once'},
		...(command === undefined ? [] : forTheSession(command)),
		{choice: {verb: 'refuse'}, label: 'Refuse; you may add why', note: 'optional'},
		abortOffer(state, agent),
	],
	holdsUp: () => true,
	whyNot: (_, {command = ''}, {verb}) => (isLasting(verb) ? whyNoAllowance(command) : undefined),
	whyNotWith: (_, {command = ''}, {verb}, {note = proposedPattern(command)}) =>
		isLasting(verb) ? whyNotPattern(note, command) : undefined,
	noteUnlessGiven: ({command = ''}, {verb}) =>
		isLasting(verb) ? proposedPattern(command) : undefined,
	called: 'a command that needs permission',
	title: (_, {title, command, paths}) =>
		command === undefined
			? `Wants to do: ${title}${paths.length === 0 ? '' : ` (${paths.join(', ')})`}`
			: `Wants to run: ${command}`,
	detail: (_, {command, paths}) => ({...defined({command}), paths}),
	decided: (state, item, {verb}, {note}) => {
		switch (verb) {
			case 'once':
				return answered(state, item, true, note);
			case 'always':
				return answered(withAllowance(state, item, item.agent, note), item, true);
			case 'always-all':
				return answered(withAllowance(state, item, null, note), item, true);
			case 'refuse':
				return answered(state, item, false, note);
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};

const forTheSession = (command: string): readonly Offer<PermissionChoice>[] => {
	const pattern = proposedPattern(command);
	return [
		{
			choice: {verb: 'always'},
			label: `Let it run this for the rest of the session: ${pattern}`,
			note: 'optional',
		},
		{
			choice: {verb: 'always-all'},
			label: 'Let every agent of the session run it',
			note: 'optional',
		},
	];
};

const isLasting = (verb: PermissionChoice['verb']): boolean => {
	switch (verb) {
		case 'always':
		case 'always-all':
			return true;
		case 'once':
		case 'refuse':
		case 'abort':
			return false;
	}
};

const whyNotPattern = (pattern: string, command: string): string | undefined =>
	whyBadPattern(pattern) ??
	(wordsBeyond(pattern, command) === undefined
		? `"${pattern}" does not cover what it asks to run.`
		: undefined);

const withAllowance = (
	state: State,
	{command = ''}: ItemOf<'permission'>,
	agent: string | null,
	pattern = proposedPattern(command),
): State => {
	const count = (state.counts.al ?? 0) + 1;
	return {
		...state,
		counts: {...state.counts, al: count},
		allowances: [...state.allowances, {id: `al-${count}`, pattern: pattern.trim(), agent}],
	};
};

/** The request that waits is answered in its turn; in no other turn would the words mean anything. */
const answered = (
	state: State,
	{id: item, request, agent}: ItemOf<'permission'>,
	allowed: boolean,
	note?: string,
): State =>
	withAgent(state, agent, agent => ({
		...agent,
		permits: [...agent.permits, {item, request, allowed, ...defined({note})}],
	}));
