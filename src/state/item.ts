import type {ApprovalChoice, ApprovalItem} from './items/approval.ts';
import type {BlockerChoice, BlockerItem} from './items/blocker.ts';
import type {CheckpointChoice, CheckpointItem} from './items/checkpoint.ts';
import type {ConflictChoice, ConflictItem} from './items/conflict.ts';
import type {DelegationChoice, DelegationItem} from './items/delegation.ts';
import type {FailureChoice, FailureItem} from './items/failure.ts';
import type {LimitChoice, LimitItem} from './items/limit.ts';
import type {PermissionChoice, PermissionItem} from './items/permission.ts';
import type {PlanChoice, PlanItem} from './items/plan.ts';
import type {QuestionChoice, QuestionItem} from './items/question.ts';
import type {ReviewChoice, ReviewItem} from './items/review.ts';
import type {ScopeChoice, ScopeItem} from './items/scope.ts';
import type {VerifyChoice, VerifyItem} from './items/verify.ts';

/** What waits for a person, by kind, and how each kind can be decided; what the kinds do is in `items.ts`. */
export type ItemTypes = {
	readonly plan: {readonly item: PlanItem; readonly choice: PlanChoice};
	readonly question: {readonly item: QuestionItem; readonly choice: QuestionChoice};
	readonly checkpoint: {readonly item: CheckpointItem; readonly choice: CheckpointChoice};
	readonly blocker: {readonly item: BlockerItem; readonly choice: BlockerChoice};
	readonly delegation: {readonly item: DelegationItem; readonly choice: DelegationChoice};
	readonly scope: {readonly item: ScopeItem; readonly choice: ScopeChoice};
	readonly permission: {readonly item: PermissionItem; readonly choice: PermissionChoice};
	readonly review: {readonly item: ReviewItem; readonly choice: ReviewChoice};
	readonly limit: {readonly item: LimitItem; readonly choice: LimitChoice};
	readonly failure: {readonly item: FailureItem; readonly choice: FailureChoice};
	readonly conflict: {readonly item: ConflictItem; readonly choice: ConflictChoice};
	readonly verify: {readonly item: VerifyItem; readonly choice: VerifyChoice};
	readonly approval: {readonly item: ApprovalItem; readonly choice: ApprovalChoice};
};

/** Names a kind of item. */
export type Kind = keyof ItemTypes;

/** The choices of one kind; of any kind where none is named. */
export type ChoiceOf<K extends Kind = Kind> = ItemTypes[K]['choice'];

/** What an item is about, before it has an id. */
export type ItemDetail = {[K in Kind]: {readonly kind: K} & ItemTypes[K]['item']}[Kind];

/** The items of one kind. */
export type ItemOf<K extends Kind = Kind> = {
	[P in K]: {readonly kind: P; readonly id: string; readonly opened: string} & ItemTypes[P]['item'];
}[K];

/** Something that waits for a person: open from an event until a decision, or until what it is about is gone. */
export type Item = ItemOf;

/** Prefix of an item's id, so that a person reads the kind off it. */
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
