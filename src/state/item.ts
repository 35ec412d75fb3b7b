import type {Awake} from '../events/deadline.ts';
import type {BodyOf, QuestionFile} from '../events/event.ts';
import type {Collision, Replayed} from '../events/kinds/merge-event.ts';
import type {LoadKind} from '../events/load.ts';
import type {WorkStatus} from '../events/reply.ts';
import type {Checkpoint, Question, Signal} from '../signals/index.ts';

/** Fields of each kind of item; their behavior is in `items.ts`. */
export type ItemFields = {
	readonly plan: PlanItem;
	readonly question: QuestionItem;
	readonly checkpoint: CheckpointItem;
	readonly blocker: BlockerItem;
	readonly delegation: DelegationItem;
	readonly scope: ScopeItem;
	readonly permission: PermissionItem;
	readonly review: ReviewItem;
	readonly limit: LimitItem;
	readonly failure: FailureItem;
	readonly conflict: ConflictItem;
	readonly verify: VerifyItem;
	readonly approval: ApprovalItem;
};

export type Kind = keyof ItemFields;

/** An item's fields, before it has an id. */
export type ItemDetail = {[K in Kind]: {readonly kind: K} & ItemFields[K]}[Kind];

export type ItemOf<K extends Kind = Kind> = {
	[P in K]: {readonly kind: P} & Opened & ItemFields[P];
}[K];

type Opened = {
	readonly id: string;
	/** Number in its id: its position among all items of its kind. */
	readonly number: number;
	readonly opened: string;
};

/** An entry of the inbox: open from an event until a decision, or until its cause is gone. */
export type Item = ItemOf;

export const isOfKind = <K extends Kind>(item: {readonly kind: Kind}, kind: K): item is ItemOf<K> =>
	item.kind === kind;

export const itemId = (kind: Kind, number: number): string => `${itemPrefix[kind]}-${number}`;

/** Prefixes of item ids, under which items of a kind are counted. */
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

/** A choice as typed: a verb, and an argument after a colon (`restore:3`, `sequential:AGT-001,AGT-002`). */
export type Choice = {readonly verb: string; readonly argument: string};

/** Splits a choice at its first colon. */
const splitChoice = (choice: string): Choice => {
	const colon = choice.indexOf(':');
	return colon === -1
		? {verb: choice, argument: ''}
		: {verb: choice.slice(0, colon), argument: choice.slice(colon + 1)};
};

/** A decision about the session as a whole. */
export type SessionChoice =
	| {readonly verb: 'add'}
	| {readonly verb: 'stop'}
	/** Merges the accepted work of these agents without waiting for the others. */
	| {readonly verb: 'merge'; readonly agents: readonly string[]}
	| {readonly verb: 'withdraw'; readonly allowance: string};

/** Returns the text of a session choice in the journal. */
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

/** Parses the text of a session choice in the journal. */
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

/** Returns whether an agent marked its question as urgent. */
export const isUrgent = (item: Item): boolean =>
	item.kind === 'question' && item.question.urgent === true;

/** Inserts an item by urgency: urgent items first, reviews of finished work last, since nothing waits for them. */
export const withPlaced = (items: readonly Item[], item: Item): readonly Item[] => {
	const at = items.findIndex(other => rankOf(other) > rankOf(item));
	return at === -1 ? [...items, item] : items.toSpliced(at, 0, item);
};

const rankOf = (item: Item): number => (isUrgent(item) ? 0 : item.kind === 'review' ? 2 : 1);

/** A checked result that waits for approval to be merged into the target. */
export type ApprovalItem = Pick<BodyOf<'merge.built'>, 'commit' | 'tree' | 'tip'> & {
	/** Reason why the last try to publish it was refused. */
	readonly refused?: {readonly message: string; readonly hint: string};
	/** Doubts that a person's approval showed; one that names them merges it. */
	readonly doubted?: readonly string[];
};

/** A blocker that made an agent stop its work. */
export type BlockerItem = {
	readonly agent: string;
	readonly details: string;
	/** The agent's full report; absent if it only named the blocker at a checkpoint. */
	readonly said?: StopWork;
	/** Command that a person last ran for it. */
	readonly command?: BlockerCommand;
};

/** A checkpoint at which an agent stopped for a review. */
export type CheckpointItem = {
	readonly agent: string;
	readonly said: Extract<Signal, {kind: 'checkpoint'}>;
	/** Reason of its snapshot. */
	readonly snapshot: string;
};

/** A folder in which a person resolves a conflict; `files` is its subfolder with the files to take. */
export type ManualFolder = {
	readonly phase: 'open';
	readonly folder: string;
	readonly files?: string;
};

/** Returns the folder with the files to take. */
export const handMadeIn = ({folder, files = 'files'}: Omit<ManualFolder, 'phase'>): string =>
	`${folder}/${files}`;

/** A conflict that waits for a person's choice: git can't merge it, or the merged result breaks. */
export type ConflictItem = Collision & {
	/** State of a resolution by hand. */
	readonly manual: {phase: 'none'} | {phase: 'wanted'} | ManualFolder;
	/** Snapshots of one agent that are applied already; the next decision is about the remaining ones. */
	readonly replayed?: Order & Replayed;
	/** Likely mistakes in the files that a choice would take; the same choice takes them if it names these. */
	readonly doubted?: {readonly choice: string; readonly doubts: readonly string[]};
	/** True if its files were taken before and did not settle it. */
	readonly again?: true;
	/** Reason why its resolution folder could not be made. */
	readonly trouble?: string;
	/** Choice whose result a person had checked, with the check. */
	readonly checking?: OutcomeCheck;
};

/** Returns the doubts that held up a decision on an item. */
export const doubtsTold = (item: ItemOf | undefined): readonly string[] | undefined =>
	item?.kind === 'conflict'
		? item.doubted?.doubts
		: item?.kind === 'approval'
			? item.doubted
			: undefined;

/** A request of an agent to hand a task on. */
export type DelegationItem = {
	readonly agent: string;
	readonly task: string;
	/** True if the agent waits for that task. */
	readonly blocks: boolean;
	readonly coordination?: string;
};

export type FailureItem = {readonly agent: string; readonly why: string};

type LoadLimit = LoadKind | `${LoadKind}-near`;
type SpendingLimit = 'tokens' | 'tokens-near' | 'money' | 'money-near';

/** A limit that an agent has reached or nearly reached. */
export type LimitItem = {
	readonly agent: string;
	/** Resource: working time, tokens, money or a resource of its processes, each reached or nearly reached; its start; successive turns without progress; changed files. Near a limit the agent continues. */
	readonly of: 'work' | 'near' | SpendingLimit | LoadLimit | 'start' | 'turns' | 'files';
	/** True if the limit is shared by all agents. */
	readonly shared?: true;
	/** Checkpoint that it reported when it was told of the limit. */
	readonly said?: Checkpoint;
};

/** A request of an agent for permission, if its scope can't decide. */
export type PermissionItem = Omit<BodyOf<'permission.asked'>, 'kind' | 'turn'>;

/** A plan that waits for its approval; the plan itself is in the session. */
export type PlanItem = Readonly<Record<never, never>>;

export type QuestionItem = {
	readonly agent: string;
	/** Number of the asking event; the questions of one signal form a group. */
	readonly group: number;
	readonly question: Question;
	/** True if the first answer to any question of the group lets the agent continue. */
	readonly anyAnswer: boolean;
	/** True if the agent can't continue without the answer. */
	readonly holds: boolean;
	readonly asked: Awake;
	/** End of the quick wait for an answer; later answers count, too. */
	readonly deadline: Awake;
	readonly workStatus?: AskedFrom;
	readonly file?: QuestionFile;
	/** True once the agent left the question to a person and ended its turn. */
	readonly escalated?: true;
	/** Reason why the last answer in a file was rejected. */
	readonly rejected?: string;
};

/** A finished agent whose work waits for acceptance. */
export type ReviewItem = {
	readonly agent: string;
	/** Reason why it is open again. */
	readonly trouble?: string;
};

/** A request of an agent to write outside its scope, or for access that it was denied. */
export type ScopeItem = {
	readonly agent: string;
	readonly paths: readonly string[];
	readonly reason: string;
	/** Access that its sandbox denied: a path outside its worktree, a socket or a host; the agent continues meanwhile. */
	readonly access?: 'read' | 'write' | 'connect';
};

/** A result that failed its check, or could not be built. */
export type VerifyItem = {
	/** Commit of the result; empty if none was built. */
	readonly commit: string;
	readonly why: string;
	/** Digest of the changed git settings that a retry accepts, if they are the reason. */
	readonly gitSettings?: string;
};

export type StopWork = Extract<Signal, {kind: 'stop_work'}>;

/** The agent's state when it asked, in its own words. */
export type AskedFrom = Pick<WorkStatus, 'blockedAt' | 'currentState'>;

/** A command that a person ran in an agent's worktree to clear its blocker. */
export type BlockerCommand = {
	readonly command: string;
	/** Number of the request's event; together with the item it names the log. */
	readonly since: number;
} & (
	| {readonly phase: 'running'}
	/** The command failed and did not clear the blocker. */
	| ({readonly phase: 'failed'} & Pick<BodyOf<'command.ended'>, 'code' | 'why' | 'tail'>)
	| {readonly phase: 'cancelled'}
);

/** A choice about a conflict whose result a person has checked before choosing. */
export type OutcomeCheck = {
	readonly choice: SettlingChoice;
	/** Number of the request's event; it also names the log. */
	readonly since: number;
	/** Result of the check; absent while it runs. */
	readonly result?: Omit<BodyOf<'outcome.checked'>, 'kind' | 'conflict' | 'choice' | 'since'>;
};

/** A choice that resolves a conflict, or a step of resolving it by hand. */
export type SettlingChoice =
	| {readonly verb: 'choose-one'; readonly winner: readonly string[]}
	| {readonly verb: 'manual'}
	| {readonly verb: 'done'}
	/** Applies the snapshots of `later` one by one to the work of the earlier agents. */
	| ({readonly verb: 'sequential'} & Order)
	/** Has `later` redo its work on top of the earlier ones. */
	| ({readonly verb: 'redo'} & Order)
	/** Sends an agent back with the lines of both sides. */
	| {readonly verb: 'feedback'; readonly agent: string}
	| {readonly verb: 'abort'; readonly agent: string}
	/** Accepts the breakage; the approval names it. */
	| {readonly verb: 'accept'}
	/** Takes an arbiter's proposal, as if the person had made it by hand. */
	| {readonly verb: 'take'; readonly agent: string};

/** Order of two sides: all of the earlier agents, and one later agent. */
export type Order = {readonly earlier: readonly string[]; readonly later: string};

/** Returns the agent that an item is about; a conflict, for example, has several. */
export const agentOfItem = (item: ItemFields[Kind]): string | undefined =>
	'agent' in item ? item.agent : undefined;
