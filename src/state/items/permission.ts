import {aborted} from '../agent/cancel.ts';
import type {ItemOf} from '../item.ts';
import {type State, withAgent} from '../state.ts';
import {type ItemKind, plain} from './kind.ts';
import {abortOffer} from './offers.ts';

/** An agent asks before it does something that its scope can't decide. */
export type PermissionItem = {
	readonly agent: string;
	readonly request: string;
	readonly title: string;
	readonly command?: string;
	readonly paths: readonly string[];
};

export type PermissionDetail = Pick<PermissionItem, 'command' | 'paths'>;

export type PermissionChoice =
	| {readonly verb: 'once'}
	| {readonly verb: 'refuse'}
	| {readonly verb: 'abort'};

export const permission: ItemKind<'permission'> = {
	...plain,
	offers: () => [
		{choice: {verb: 'once'}, label: 'Let it do this, this once'},
		{choice: {verb: 'refuse'}, label: 'Refuse; you may add why', note: 'optional'},
		abortOffer,
	],
	holdsUp: () => true,
	title: (_, {title, command, paths}) =>
		command === undefined
			? `Wants to do: ${title}${paths.length === 0 ? '' : ` (${paths.join(', ')})`}`
			: `Wants to run: ${command}`,
	detail: (_, {command, paths}) => ({...(command === undefined ? {} : {command}), paths}),
	decided: (state, item, {verb}, {note}) => {
		switch (verb) {
			case 'once':
				return answered(state, item, true, note);
			case 'refuse':
				return answered(state, item, false, note);
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};

/** The request that waits is answered in its turn; in no other turn would the words mean anything. */
const answered = (
	state: State,
	{id: item, request, agent}: ItemOf<'permission'>,
	allowed: boolean,
	note: string | undefined,
): State =>
	withAgent(state, agent, agent => ({
		...agent,
		permits: [...agent.permits, {item, request, allowed, ...(note === undefined ? {} : {note})}],
	}));
