import {defined} from '../../lib/values.ts';
import {proposedPattern, whyBadPattern, whyNoAllowance, wordsBeyond} from '../agent/allowance.ts';
import type {ItemOf, PermissionItem} from '../item.ts';
import {type State, withAgent} from '../state.ts';
import {itemKind, type Supplied} from './kind.ts';
import {aborting} from './offers.ts';

export type PermissionDetail = Pick<PermissionItem, 'command' | 'paths'>;

export type PermissionChoice =
	| {readonly verb: 'once' | 'refuse' | 'abort'}
	/** Allows commands of a pattern for the rest of the session: the note's, or the proposed one. */
	| {readonly verb: 'always' | 'always-all'};

/** Choices that allow more than this command. */
const lasting = {
	whyNot: (_: State, {command = ''}: ItemOf<'permission'>) => whyNoAllowance(command),
	whyNotWith: (
		_: State,
		{command = ''}: ItemOf<'permission'>,
		{note = proposedPattern(command)}: Supplied,
	) => whyNotPattern(note, command),
	noteUnlessGiven: ({command = ''}: ItemOf<'permission'>) => proposedPattern(command),
};

export const permission = itemKind<'permission', PermissionChoice, PermissionDetail>({
	choices: {
		once: {
			offer: {label: 'Allow it this once'},
			decided: (state, item, {note}) => answered(state, item, true, note),
		},
		always: {
			...lasting,
			offer: (_, {command}) =>
				command === undefined
					? undefined
					: {
							label: `Let it run this for the rest of the session: ${proposedPattern(command)}`,
							note: 'optional',
						},
			decided: (state, item, {note}) =>
				answered(withAllowance(state, item, item.agent, note), item, true),
		},
		'always-all': {
			...lasting,
			offer: (_, {command}) =>
				command === undefined
					? undefined
					: {label: 'Let every agent of the session run it', note: 'optional'},
			decided: (state, item, {note}) =>
				answered(withAllowance(state, item, null, note), item, true),
		},
		refuse: {
			offer: {label: 'Refuse; you may add why', note: 'optional'},
			decided: (state, item, {note}) => answered(state, item, false, note),
		},
		abort: aborting,
	},
	holdsUp: () => true,
	called: 'a command that needs permission',
	title: (_, {title, command, paths}) =>
		command === undefined
			? `Wants to do: ${title}${paths.length === 0 ? '' : ` (${paths.join(', ')})`}`
			: `Wants to run: ${command}`,
	detail: (_, {command, paths}) => ({...defined({command}), paths}),
});

const whyNotPattern = (pattern: string, command: string): string | undefined =>
	whyBadPattern(pattern) ??
	(wordsBeyond(pattern, command) === undefined
		? `"${pattern}" does not match the command that it asks to run.`
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

/** Answers the open request in its turn; in another turn the answer would have no meaning. */
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
