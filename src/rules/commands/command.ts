import type {AgentOrder} from '../../events/agent-order.ts';
import type {BodyOf, DecidedBy} from '../../events/event.ts';
import type {Subtask} from '../../events/plan.ts';
import {type ItemOf, isOfKind, type Kind} from '../../state/item.ts';
import type {Supplied} from '../../state/items/kind.ts';
import type {ChoiceOf} from '../../state/items.ts';
import {offerOf} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** A request to change the session; unlike an event it can be refused. */
export type Command =
	| {readonly kind: 'start'; readonly event: BodyOf<'session.started'>; readonly approved: boolean}
	/** With rivals, all of them do the same, and the best of their works is taken. */
	| {readonly kind: 'add'; readonly subtask: Subtask; readonly rivals?: readonly Subtask[]}
	| {readonly kind: 'stop'}
	/** Merges accepted work of these agents without waiting for the others. */
	| {readonly kind: 'merge'; readonly agents: readonly string[]}
	/** No agent has that leave for the session any more. */
	| {readonly kind: 'withdraw'; readonly allowance: string}
	| {readonly kind: 'steer'; readonly agent: string; readonly order: AgentOrder}
	| {readonly kind: 'snooze'; readonly item: string; readonly by: DecidedBy}
	/** Answers to several questions, given together or not at all. */
	| {readonly kind: 'answer'; readonly answers: readonly Decision<'question'>[]}
	| Decision;

/** A decision on an item, with what comes with it; `readDecision` makes it of what was typed. */
export type Decision<K extends Kind = Kind> = {
	[P in K]: {
		readonly kind: 'decide';
		/** The kind of the item, which tells what its choices are. */
		readonly on: P;
		readonly item: string;
		readonly choice: ChoiceOf<P>;
		readonly by: DecidedBy;
		/** Id of the user whose file decides. */
		readonly owner?: number;
		/** Warnings of a plan that comes with it and was not shown yet. */
		readonly warnings?: readonly string[];
	} & Supplied;
}[K];

/** A decision as somebody typed it, its choice in words. */
export type TypedDecision = Omit<Decision, 'kind' | 'on' | 'choice' | 'seen'> & {
	readonly choice: string;
};

/** Returns the open item that a decision is about. */
export const decidedItem = <K extends Kind>(
	state: State,
	{item: id, on}: Decision<K>,
): ItemOf<K> | undefined => {
	const item = itemOf(state, id);
	return item !== undefined && isOfKind(item, on) ? item : undefined;
};

/** Returns whether a decision comes without the note that its choice needs; a patch says what is taken as well. */
export const lacksNote = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	{choice, note = '', patch, picked}: Decision<K>,
): boolean =>
	note.trim() === '' &&
	(patch ?? picked) === undefined &&
	offerOf<K>(state, item, choice)?.note === 'required';
