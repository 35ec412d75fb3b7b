import {isSame} from '../lib/is-same.ts';
import type {ChoiceOf, ItemOf, Kind} from './item.ts';
import {approval} from './items/approval.ts';
import {blocker} from './items/blocker/blocker.ts';
import {checkpoint} from './items/checkpoint.ts';
import {conflict} from './items/conflict/conflict.ts';
import {delegation} from './items/delegation/delegation.ts';
import {failure} from './items/failure.ts';
import type {ItemKind, Offer} from './items/kind.ts';
import {limit} from './items/limit.ts';
import {permission} from './items/permission.ts';
import {plan} from './items/plan.ts';
import {question} from './items/question/question.ts';
import {review} from './items/review.ts';
import {scope} from './items/scope.ts';
import {verify} from './items/verify/verify.ts';
import type {State} from './state.ts';

const kinds: {readonly [K in Kind]: ItemKind<K>} = {
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

/** Returns what items of a kind mean; no file of `items/` may use it, since it is made of them. */
export const kindOf = <K extends Kind>({kind}: {readonly kind: K}): ItemKind<K> => kinds[kind];

/** What is typed, and kept in the journal, to look at an item later: it is left as it is, behind the others. */
export const snoozeWord = 'snooze';

/** Reads a choice as it is typed or kept in the journal, if the item takes it. */
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

/** Returns how an item offers a choice, if it does. */
export const offerOf = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	choice: ChoiceOf<K>,
): Offer<ChoiceOf<K>> | undefined =>
	kindOf<K>(item)
		.offers(state, item)
		.find(offer => isSame(offer.choice, choice));

/** Returns whether an item takes a choice, as things stand now. */
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
