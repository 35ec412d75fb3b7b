import type {ApprovalChoice, ApprovalDetail, ApprovalItem} from './items/approval.ts';
import type {BlockerChoice, BlockerDetail, BlockerItem} from './items/blocker/blocker.ts';
import type {CheckpointChoice, CheckpointDetail, CheckpointItem} from './items/checkpoint.ts';
import type {ConflictChoice, ConflictDetail, ConflictItem} from './items/conflict/conflict.ts';
import type {DelegationChoice, DelegationDetail, DelegationItem} from './items/delegation.ts';
import type {FailureChoice, FailureDetail, FailureItem} from './items/failure.ts';
import type {LimitChoice, LimitDetail, LimitItem} from './items/limit.ts';
import type {PermissionChoice, PermissionDetail, PermissionItem} from './items/permission.ts';
import type {PlanChoice, PlanDetail, PlanItem} from './items/plan.ts';
import type {QuestionChoice, QuestionDetail, QuestionItem} from './items/question/question.ts';
import type {ReviewChoice, ReviewDetail, ReviewItem} from './items/review.ts';
import type {ScopeChoice, ScopeDetail, ScopeItem} from './items/scope.ts';
import type {VerifyChoice, VerifyDetail, VerifyItem} from './items/verify/verify.ts';

/** What waits for a person, by kind, how each kind can be decided, and what readers are shown of it; what the kinds do is in `items.ts`. */
export type ItemTypes = {
	readonly plan: {
		readonly item: PlanItem;
		readonly choice: PlanChoice;
		readonly detail: PlanDetail;
	};
	readonly question: {
		readonly item: QuestionItem;
		readonly choice: QuestionChoice;
		readonly detail: QuestionDetail;
	};
	readonly checkpoint: {
		readonly item: CheckpointItem;
		readonly choice: CheckpointChoice;
		readonly detail: CheckpointDetail;
	};
	readonly blocker: {
		readonly item: BlockerItem;
		readonly choice: BlockerChoice;
		readonly detail: BlockerDetail;
	};
	readonly delegation: {
		readonly item: DelegationItem;
		readonly choice: DelegationChoice;
		readonly detail: DelegationDetail;
	};
	readonly scope: {
		readonly item: ScopeItem;
		readonly choice: ScopeChoice;
		readonly detail: ScopeDetail;
	};
	readonly permission: {
		readonly item: PermissionItem;
		readonly choice: PermissionChoice;
		readonly detail: PermissionDetail;
	};
	readonly review: {
		readonly item: ReviewItem;
		readonly choice: ReviewChoice;
		readonly detail: ReviewDetail;
	};
	readonly limit: {
		readonly item: LimitItem;
		readonly choice: LimitChoice;
		readonly detail: LimitDetail;
	};
	readonly failure: {
		readonly item: FailureItem;
		readonly choice: FailureChoice;
		readonly detail: FailureDetail;
	};
	readonly conflict: {
		readonly item: ConflictItem;
		readonly choice: ConflictChoice;
		readonly detail: ConflictDetail;
	};
	readonly verify: {
		readonly item: VerifyItem;
		readonly choice: VerifyChoice;
		readonly detail: VerifyDetail;
	};
	readonly approval: {
		readonly item: ApprovalItem;
		readonly choice: ApprovalChoice;
		readonly detail: ApprovalDetail;
	};
};

/** Names a kind of item. */
export type Kind = keyof ItemTypes;

/** The choices of one kind; of any kind where none is named. */
export type ChoiceOf<K extends Kind = Kind> = ItemTypes[K]['choice'];

/** What readers are shown of one kind of item besides its title and choices, in the words of `inbox --json`. */
export type DetailOf<K extends Kind = Kind> = ItemTypes[K]['detail'];

/** What an item is about, before it has an id. */
export type ItemDetail = {[K in Kind]: {readonly kind: K} & ItemTypes[K]['item']}[Kind];

/** The items of one kind. */
export type ItemOf<K extends Kind = Kind> = {
	[P in K]: {readonly kind: P} & Opened & ItemTypes[P]['item'];
}[K];

type Opened = {
	readonly id: string;
	/** The same as its id says to people: how many of its kind there were, itself included. */
	readonly number: number;
	readonly opened: string;
};

/** Something that waits for a person: open from an event until a decision, or until what it is about is gone. */
export type Item = ItemOf;

/** Returns whether an item is of a kind. */
export const isOfKind = <K extends Kind>(item: {readonly kind: Kind}, kind: K): item is ItemOf<K> =>
	item.kind === kind;

/** Returns the id of an item, off which a person reads its kind. */
export const itemId = (kind: Kind, number: number): string => `${itemPrefix[kind]}-${number}`;

/** Prefix of an item's id, under which items of its kind are counted. */
export const itemPrefix: Readonly<Record<Kind, string>> = {
	plan: 'p',
	question: 'q',
	checkpoint: 'cp',
	blocker: 'b',
	delegation: 'd',
	scope: 's',
	permission: 'pm',
	review: 'r',
	limit: 'l',
	failure: 'f',
	conflict: 'c',
	verify: 'v',
	approval: 'a',
};

/** A choice as typed: a verb, and after a colon what it is about (`restore:3`, `sequential:AGT-001,AGT-002`). */
export type Choice = {readonly verb: string; readonly argument: string};

/** Takes a choice apart at its first colon. */
const splitChoice = (choice: string): Choice => {
	const colon = choice.indexOf(':');
	return colon === -1
		? {verb: choice, argument: ''}
		: {verb: choice.slice(0, colon), argument: choice.slice(colon + 1)};
};

/** What a person decides about a session as a whole. */
export type SessionChoice =
	| {readonly verb: 'add'}
	| {readonly verb: 'stop'}
	/** Accepted work of these agents is merged without waiting for the others. */
	| {readonly verb: 'merge'; readonly agents: readonly string[]}
	/** An allowance is taken back. */
	| {readonly verb: 'withdraw'; readonly allowance: string};

/** Returns such a choice as the journal keeps it. */
export const sessionChoiceText = (choice: SessionChoice): string => {
	switch (choice.verb) {
		case 'withdraw':
			return `withdraw:${choice.allowance}`;
		case 'merge':
			return `merge:${choice.agents.join(',')}`;
		case 'add':
		case 'stop':
			return choice.verb;
	}
};

/** Reads what the journal keeps of such a choice. */
export const readSessionChoice = (text: string): SessionChoice | undefined => {
	const {verb, argument} = splitChoice(text);
	if (verb === 'withdraw') {
		return {verb, allowance: argument};
	}

	if (verb === 'merge') {
		return {verb, agents: argument.split(',')};
	}

	return text === 'add' || text === 'stop' ? {verb: text} : undefined;
};

/** Returns whether an agent asked for somebody to look at once. */
export const isUrgent = (item: Item): boolean =>
	item.kind === 'question' && item.question.urgent === true;

/** Returns the items with one more: what is urgent comes before all that is not, behind what was urgent before it. */
export const withPlaced = (items: readonly Item[], item: Item): readonly Item[] => {
	const at = isUrgent(item) ? items.findIndex(other => !isUrgent(other)) : -1;
	return at === -1 ? [...items, item] : items.toSpliced(at, 0, item);
};
