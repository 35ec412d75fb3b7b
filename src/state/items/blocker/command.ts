import type {BodyOf} from '../../../events/event.ts';
import {defined} from '../../../lib/values.ts';
import type {ItemOf} from '../../item.ts';
import {replied} from '../../reply.ts';
import {itemOf} from '../../select.ts';
import {type State, withItemsOf, withoutItems} from '../../state.ts';
import {saidIn} from './blocker.ts';

/** A command that a person has run in an agent's worktree, to clear what blocks it. */
export type BlockerCommand = {
	readonly command: string;
	/** Number of the event by which it was asked for; with its item it names its log. */
	readonly since: number;
} & (
	| {readonly phase: 'running'}
	/** It changed nothing about the blocker. */
	| {
			readonly phase: 'failed';
			/** Null when it was ended by a signal, or could not be started. */
			readonly code: number | null;
			/** Why it has no exit code. */
			readonly why?: string;
			readonly tail: readonly string[];
	  }
	| {readonly phase: 'cancelled'}
);

/** Returns the name of a command's log among the session's commands. */
export const commandLogName = (item: string, {since}: Pick<BlockerCommand, 'since'>): string =>
	`${item}-${since}.log`;

/** Returns the state in which an open blocker has a command as it stands now. */
export const withCommand = (state: State, id: string, command: BlockerCommand): State =>
	withItemsOf(
		state,
		'blocker',
		item => item.id === id,
		item => ({...item, command}),
	);

/** A command that went well has cleared the blocker, and its agent is told; one that failed leaves it open. */
export const commandEnded = (state: State, event: BodyOf<'command.ended'>): State => {
	const item = itemOf(state, event.item);
	if (item?.kind !== 'blocker' || item.command?.since !== event.since) {
		return state;
	}

	return event.code === 0
		? cleared(state, item, event)
		: withCommand(state, item.id, failed(item.command, event));
};

const failed = (
	{command, since}: BlockerCommand,
	{code, why, tail}: BodyOf<'command.ended'>,
): BlockerCommand => ({phase: 'failed', command, since, code, tail, ...defined({why})});

/** Most lines of its output that an agent is told. */
const quotedLines = 5;

const cleared = (
	state: State,
	item: ItemOf<'blocker'>,
	{command, code, tail}: BodyOf<'command.ended'>,
): State =>
	replied(
		withoutItems(state, ({id}) => id === item.id),
		item,
		{
			heading: 'BLOCKER RESOLVED',
			...saidIn(item),
			text: '',
			ran: {command, code, tail: tail.slice(-quotedLines)},
		},
	);
