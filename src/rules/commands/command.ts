import type {AgentOrder} from '../../events/agent-order.ts';
import type {BodyOf, DecidedBy} from '../../events/event.ts';
import type {Subtask} from '../../events/plan.ts';
import {type ItemOf, isOfKind, type Kind} from '../../state/item.ts';
import type {Supplied} from '../../state/items/kind.ts';
import {type ChoiceOf, offerOf} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** A request to change the session; unlike an event, it can be refused. */
export type Command =
	| {readonly kind: 'start'; readonly event: BodyOf<'session.started'>; readonly approved: boolean}
	/** Rivals do the same subtask, and the best of their works is taken. */
	| {readonly kind: 'add'; readonly subtask: Subtask; readonly rivals?: readonly Subtask[]}
	| {readonly kind: 'stop'}
	/** Merges the accepted work of these agents without waiting for the others. */
	| {readonly kind: 'merge'; readonly agents: readonly string[]}
	/** Withdraws a permission that was given for the whole session, from all agents. */
	| {readonly kind: 'withdraw'; readonly allowance: string}
	| {readonly kind: 'steer'; readonly agent: string; readonly order: AgentOrder}
	| {readonly kind: 'snooze'; readonly item: string; readonly by: DecidedBy}
	/** Answers to several questions, all accepted or none. */
	| {readonly kind: 'answer'; readonly answers: readonly Decision<'question'>[]}
	| Decision;

/** A decision on an item, with its note, patch and so on; `readDecision` makes it from typed words. */
export type Decision<K extends Kind = Kind> = {
	[P in K]: {
		readonly kind: 'decide';
		/** Kind of the item, which determines its choices. */
		readonly on: P;
		readonly choice: ChoiceOf<P>;
	} & Pick<BodyOf<'user.decided'>, 'item' | 'by' | 'owner' | 'warnings'> &
		Supplied;
}[K];

/** A decision as a person typed it, with its choice in words. */
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

/** Returns whether a decision lacks the note that its choice needs; a patch or a pick takes the place of a note. */
export const lacksNote = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	{choice, note = '', patch, picked}: Decision<K>,
): boolean =>
	note.trim() === '' &&
	(patch ?? picked) === undefined &&
	offerOf<K>(state, item, choice)?.note === 'required';
