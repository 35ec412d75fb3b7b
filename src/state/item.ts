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
	/** The same as its id says to people: how many of its kind there were, itself included. */
	readonly number: number;
	readonly opened: string;
};

/** An entry of the inbox: open from an event until a decision, or until its cause is gone. */
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

/** A decision about the session as a whole. */
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

/** Returns the items with one more, in the order of what they hold up: what is urgent first, and the work of who has finished behind what others wait for. */
export const withPlaced = (items: readonly Item[], item: Item): readonly Item[] => {
	const at = items.findIndex(other => rankOf(other) > rankOf(item));
	return at === -1 ? [...items, item] : items.toSpliced(at, 0, item);
};

const rankOf = (item: Item): number => (isUrgent(item) ? 0 : item.kind === 'review' ? 2 : 1);

/** A result that was checked waits to be merged into the target. */
export type ApprovalItem = {
	readonly commit: string;
	readonly tree: string;
	readonly tip: string;
	/** Why the last try to publish it was refused. */
	readonly refused?: {readonly message: string; readonly hint: string};
	/** Doubts that were shown when a person approved it; a second approval merges it. */
	readonly doubted?: readonly string[];
};

/** An agent stopped its work, since something keeps it from going on. */
export type BlockerItem = {
	readonly agent: string;
	readonly details: string;
	/** All that it said, where it stopped for this and did not only name it at a checkpoint. */
	readonly said?: StopWork;
	/** The command that a person last ran for it. */
	readonly command?: BlockerCommand;
};

/** An agent stopped to have its work looked at. */
export type CheckpointItem = {
	readonly agent: string;
	readonly said: Extract<Signal, {kind: 'checkpoint'}>;
	/** The reason of the snapshot that belongs to it. */
	readonly snapshot: string;
};

/** A folder in which a person resolves a conflict; a folder in it holds the files that are taken. */
export type ManualFolder = {
	readonly phase: 'open';
	readonly folder: string;
	readonly files?: string;
};

/** Returns where the files lie that are taken. */
export const handMadeIn = ({folder, files = 'files'}: Omit<ManualFolder, 'phase'>): string =>
	`${folder}/${files}`;

/** A conflict that waits for a person's choice: git can't merge it, or what git merged breaks. */
export type ConflictItem = Collision & {
	/** How far a resolution by hand has come. */
	readonly manual: {phase: 'none'} | {phase: 'wanted'} | ManualFolder;
	/** Snapshots of one agent that are applied already; the next decision is about the rest. */
	readonly replayed?: Order & Replayed;
	/** Likely mistakes in the files that a choice would take; the same choice again takes them. */
	readonly doubted?: {readonly choice: string; readonly doubts: readonly string[]};
	/** Files of it were taken that left it unsettled. */
	readonly again?: true;
	/** Why its resolution folder could not be made. */
	readonly trouble?: string;
	/** The choice whose result is or was checked, at a person's request. */
	readonly checking?: OutcomeCheck;
};

/** An agent wants to hand a task on. */
export type DelegationItem = {
	readonly agent: string;
	readonly task: string;
	/** Whether it waits for that task's end. */
	readonly blocks: boolean;
	readonly coordination?: string;
};

export type FailureItem = {readonly agent: string; readonly why: string};

type LoadLimit = LoadKind | `${LoadKind}-near`;
type SpendingLimit = 'tokens' | 'tokens-near' | 'money' | 'money-near';

/** An agent has reached its limit, or soon will have. */
export type LimitItem = {
	readonly agent: string;
	/** What takes too long or too much: its work, soon or by now; its tokens or its money, soon or by now; what its processes use, likewise; its start; turns in a row that come to nothing; files that it changed. While it is soon, it goes on. */
	readonly of: 'work' | 'near' | SpendingLimit | LoadLimit | 'start' | 'turns' | 'files';
	/** Whether it is what all agents may use together. */
	readonly shared?: true;
	/** The checkpoint that it reported when it was told of the limit. */
	readonly said?: Checkpoint;
};

/** An agent asks before it does something that its scope can't decide. */
export type PermissionItem = {
	readonly agent: string;
	readonly request: string;
	readonly title: string;
	readonly command?: string;
	readonly paths: readonly string[];
};

/** A plan that waits for its approval; it is the session's own. */
export type PlanItem = Readonly<Record<never, never>>;

export type QuestionItem = {
	readonly agent: string;
	/** Number of the event that asked; the questions of one signal form a group. */
	readonly group: number;
	readonly question: Question;
	/** Whether the first answer to any question of the group lets the agent go on. */
	readonly anyAnswer: boolean;
	/** Whether the agent can't go on without it. */
	readonly holds: boolean;
	readonly asked: Awake;
	/** When the quick wait for an answer ends; an answer is taken after it all the same. */
	readonly deadline: Awake;
	readonly workStatus?: AskedFrom;
	/** The file that it was asked in, if it was. */
	readonly file?: QuestionFile;
	/** Set once the agent said that it leaves the question to a person and ends its turn. */
	readonly escalated?: true;
	/** Why the last answer in a file was of no use. */
	readonly rejected?: string;
};

/** An agent has finished, and its work waits to be accepted. */
export type ReviewItem = {
	readonly agent: string;
	/** Why it is open again. */
	readonly trouble?: string;
};

/** An agent wants to write outside its scope, or to reach what it was denied. */
export type ScopeItem = {
	readonly agent: string;
	readonly paths: readonly string[];
	readonly reason: string;
	/** Set where it was denied what its box hides: a path outside its worktree, a socket or a host; it goes on meanwhile. */
	readonly access?: 'read' | 'write' | 'connect';
};

/** A result failed its check, or nothing could be put together. */
export type VerifyItem = {
	/** The result; empty when nothing was put together. */
	readonly commit: string;
	readonly why: string;
	/** Digest of the git settings that a person agrees to by trying again, where those are why. */
	readonly gitSettings?: string;
};

export type StopWork = Extract<Signal, {kind: 'stop_work'}>;

/** Where an agent stood when it asked, in its own words. */
export type AskedFrom = Pick<WorkStatus, 'blockedAt' | 'currentState'>;

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

/** A choice about a conflict whose result a person wants checked before they choose. */
export type OutcomeCheck = {
	readonly choice: SettlingChoice;
	/** Number of the event that asked for it; names its log, too. */
	readonly since: number;
	/** Its outcome; absent while it runs. */
	readonly result?: Omit<BodyOf<'outcome.checked'>, 'kind' | 'conflict' | 'choice' | 'since'>;
};

/** A choice that settles a conflict, or a step of resolving it by hand. */
export type SettlingChoice =
	| {readonly verb: 'choose-one'; readonly winner: readonly string[]}
	| {readonly verb: 'manual'}
	| {readonly verb: 'done'}
	/** Applies the snapshots of `later` to the work of the earlier ones, one after the other. */
	| ({readonly verb: 'sequential'} & Order)
	/** `later` works again, on top of the earlier ones. */
	| ({readonly verb: 'redo'} & Order)
	/** Sends an agent back with the lines of both sides. */
	| {readonly verb: 'feedback'; readonly agent: string}
	| {readonly verb: 'abort'; readonly agent: string}
	/** Lets it be; the approval names it. */
	| {readonly verb: 'accept'}
	/** Takes what an arbiter proposes, as if the person had made it by hand. */
	| {readonly verb: 'take'; readonly agent: string};

/** In which order two sides come: all of the earlier ones, and one later agent. */
export type Order = {readonly earlier: readonly string[]; readonly later: string};

/** Returns the agent that an item is about; a conflict, for one, is about several. */
export const agentOfItem = (item: ItemFields[Kind]): string | undefined =>
	'agent' in item ? item.agent : undefined;
