import {isSame} from '../lib/values.ts';
import type {Agent} from './agent/agent.ts';
import {isAwaiting} from './agent/awaiting.ts';
import type {Item, ItemOf, Kind} from './item.ts';
import {approval} from './items/approval.ts';
import {blocker} from './items/blocker.ts';
import {checkpoint} from './items/checkpoint.ts';
import {conflict} from './items/conflict/conflict.ts';
import {delegation} from './items/delegation.ts';
import {failure} from './items/failure.ts';
import type {ItemKind, Offer} from './items/kind.ts';
import {limit} from './items/limit.ts';
import {permission} from './items/permission.ts';
import {plan} from './items/plan.ts';
import {question} from './items/question/question.ts';
import {review} from './items/review.ts';
import {scope} from './items/scope.ts';
import {verify} from './items/verify/verify.ts';
import {itemsOf} from './select.ts';
import type {State} from './state.ts';

/** Modules of all kinds; a missing one does not compile. */
const modules = {
	plan,
	question,
	checkpoint,
	blocker,
	delegation,
	scope,
	permission,
	review,
	limit,
	failure,
	conflict,
	verify,
	approval,
};

type Modules = typeof modules;

export type ChoiceOf<K extends Kind = Kind> = Parameters<Modules[K]['words']>[0];

/** Details of one kind of item besides its title and choices, as `inbox --json` prints them. */
export type DetailOf<K extends Kind = Kind> = ReturnType<Modules[K]['detail']>;

const kinds: {readonly [K in Kind]: ItemKind<K, ChoiceOf<K>, DetailOf<K>>} = modules;

export const kindNames = Object.keys(modules) as readonly Kind[];

/** Returns the module of an item's kind; files of `items/` can't use it, since it imports them. */
export const kindOf = <K extends Kind>({
	kind,
}: {
	readonly kind: K;
}): ItemKind<K, ChoiceOf<K>, DetailOf<K>> => kinds[kind];

/** The choice, typed and journaled, that moves an item to the end of the queue. */
export const snoozeWord = 'snooze';

/** Reads a choice as typed or journaled, if the item takes it. */
export const readChoice = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	text: string,
): ChoiceOf<K> | undefined => {
	const kind = kindOf<K>(item);
	return (
		kind.offers(state, item).find(({choice}) => kind.words(choice) === text)?.choice ??
		kind.readOther(state, item, text)
	);
};

export const offerOf = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	choice: ChoiceOf<K>,
): Offer<ChoiceOf<K>> | undefined =>
	kindOf<K>(item)
		.offers(state, item)
		.find(offer => isSame(offer.choice, choice));

export const takes = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	choice: ChoiceOf<K>,
): boolean => {
	const kind = kindOf<K>(item);
	return (
		offerOf<K>(state, item, choice) !== undefined ||
		kind.readOther(state, item, kind.words(choice)) !== undefined
	);
};

/**
Returns the items that an agent needs decided before it can continue.

Items that it does not wait for are left out: a parallel delegation, and a question that is not required.
*/
export const blockingItems = (state: State, agent: Agent): readonly Item[] =>
	itemsOf(state, agent.id).filter(item => kindOf(item).holdsUp(item));

/** Returns whether an agent can't continue now: a person has to decide first, or another agent has to finish delegated work. */
export const isHeldUp = (state: State, agent: Agent): boolean =>
	isAwaiting(agent) || blockingItems(state, agent).length > 0;
