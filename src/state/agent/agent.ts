import type {SlashCommand} from '../../events/agent-order.ts';
import type {Awake} from '../../events/deadline.ts';
import type {
	AgentState,
	BodyOf,
	PromptKind,
	Silence,
	TreeEntry,
	TurnEnd,
} from '../../events/event.ts';
import type {Load} from '../../events/load.ts';
import type {LoginWay, ModelTrouble} from '../../events/model-trouble.ts';
import type {Subtask} from '../../events/plan.ts';
import type {Permit, Reply} from '../../events/reply.ts';
import {defined, omit} from '../../lib/values.ts';
import type {Malformed, Signal} from '../../signals/index.ts';
import {budgetsOf} from './spending.ts';
import {noUpdates, type Response, type Updates} from './updates.ts';

type Report = Extract<Signal, {kind: 'completion_report'}>;

/** One run of an agent's process. Turns are numbered from 1 through an agent's whole life, also over its retries. */
export type Turn =
	/** None since its start; `number` is that of the last one before, 0 when there was none. */
	| {readonly phase: 'none'; readonly number: number}
	| {
			readonly phase: 'live';
			readonly number: number;
			readonly prompt: PromptKind;
			readonly pid: number;
			readonly startTime: string;
			readonly startedAt: string;
			/** Set where a person's message can be told in the turn. */
			readonly takesWords?: true;
			/** From when on it has worked, without the time that it stood still. */
			readonly countedFrom: Awake;
			/** Since when it is frozen, for want of space on the disk. */
			readonly pausedAt?: Awake;
			/** No word came yet since it began, though it has for a while. */
			readonly quiet?: true;
			/** Since when nothing at all came of it, and in the middle of what, once that is long. */
			readonly silent?: Silence;
	  }
	| {
			readonly phase: 'ended';
			readonly number: number;
			readonly prompt: PromptKind;
			readonly end: TurnEnd;
			readonly lastError?: string;
			readonly lastWords?: string;
	  };

/** Base of the work and baseline of its changes, from `workspace.prepared`. */
export type StartingPoint = {
	readonly base: string;
	readonly baseline: string;
	readonly onto: readonly string[];
	readonly conflicts: readonly string[];
};

/** Where an agent works, and on what. */
export type Workspace =
	| {readonly phase: 'wanted'}
	| (StartingPoint & {
			readonly phase: 'ready';
			/** Tree that the worktree was last set to, until the next snapshot. */
			readonly tree?: string;
	  });

/** A commit that holds an agent's whole worktree, pinned. */
export type Snapshot = Omit<BodyOf<'snapshot.taken'>, 'kind' | 'agent' | 'checkpoint'> & {
	/** Base of `work`, even if the worktree has been rebased since. */
	readonly startingPoint: StartingPoint;
	readonly at: string;
};

/** Result of the plan's checks on a snapshot; without an outcome, why they could not be run. */
export type SnapshotCheck = {
	readonly number: number;
	readonly tree: string;
	readonly at: string;
} & (
	| Pick<BodyOf<'snapshot.checked'>, 'ok' | 'commands' | 'log'>
	| {readonly ok: null; readonly why: string}
);

/** Where an agent went beyond its scope: the path, or a refused command's words. */
export type Violation = {readonly path: string; readonly refused: boolean};

/** A list that grew with every path would be copied for each: 40,000 files reverted would take minutes to read. */
export const mostViolations = 500;

/** The last word of an agent on its subtask, or a person's in its place. */
export type AgentOutcome = {
	readonly to: 'COMPLETE' | 'FAILED';
	readonly why: string;
	readonly by: 'agent' | 'person';
};

/** A person's decision about an agent as a whole. */
type Verdict =
	| {readonly kind: 'none'}
	/** Its work goes into the merge: as far as its paths match the globs of `only`, or as much of it as a person picked. */
	| {
			readonly kind: 'accepted';
			readonly only: readonly string[];
			readonly files?: readonly {readonly path: string; readonly entry: TreeEntry | null}[];
			/** The rivals with which it was taken: one as a whole, of the others a part. Without them it is not taken either. */
			readonly beside?: readonly string[];
			/** Paths that it gives up to them. */
			readonly without?: readonly string[];
			/** A person wants it merged without waiting for the others. */
			readonly now?: true;
	  }
	| {readonly kind: 'retried'; readonly from: number | null}
	| {readonly kind: 'cancelled'; readonly why: string};

/** Turns in a row that came to nothing since the agent's model had trouble. */
export type TroubledTurns = {
	/** Cause and time of the last failure. */
	readonly last: ModelTrouble;
	readonly at: Awake;
	/** How many of them were tries; a limit that is waited for uses up none. */
	readonly count: number;
	/** How many of them met a limit. */
	readonly limits?: number;
	/** Number of the first of them. */
	readonly first: number;
	/** A person does not want the next try to wait. */
	readonly hurried?: true;
};

/** A person's answer about what an agent was denied: open it for the agent's next process, for all later ones, or for none. */
export type Access = Denial & {
	readonly granted: 'once' | 'session' | 'never';
	/** No process was started with it yet. */
	readonly isNew?: true;
};

/** What an agent wanted of a path outside its worktree; to connect, it names a socket or a host. */
export type Denial = {readonly path: string; readonly to: 'read' | 'write' | 'connect'};

/** Everything that is true of one agent. */
export type Agent = {
	readonly id: string;
	readonly subtask: Subtask;
	/** The agent on whose request it was added. */
	readonly requestedBy?: string;
	/** The child's note on what both must agree on. */
	readonly coordination?: string;
	readonly state: AgentState;
	/** Why it is in this state, in words. */
	readonly why: string;
	readonly since: Awake;
	/** When a person last gave its start more time. */
	readonly extendedAt?: Awake;
	readonly startedAt?: string;
	readonly lastAt?: string;
	readonly workspace: Workspace;
	/** The snapshot from which its worktree was recreated, until it is told; null when there was none yet. */
	readonly rebuilt?: number | null;
	readonly turn: Turn;
	/** How many turns began since a person last said something to it, or a turn that was not cut off changed its worktree. */
	readonly turnsInVain: number;
	/** Until a turn ends well, or a person has it started over. */
	readonly troubled?: TroubledTurns;
	/** Milliseconds it has worked in turns that ended. */
	readonly workedMs: number;
	/** Milliseconds it may work in all; a person can extend it. */
	readonly timeoutMs: number;
	/** Tokens that it may use in all, and US dollars; a person can extend them. */
	readonly tokenBudget?: number;
	readonly moneyBudget?: number;
	/** Usage when it was last compared with these limits; no money if the agent reports none. */
	readonly tokens?: number;
	readonly money?: number;
	/** Limit that it was told it has reached, since when, and its checkpoint after that. */
	readonly closing?: {
		readonly of: 'work' | 'tokens' | 'money';
		readonly shared?: true;
		readonly since: Awake;
		readonly said?: Extract<Signal, {kind: 'checkpoint'}>;
	};
	/** When it first said something in this turn after which nothing more is expected of the turn. */
	readonly spokeAt?: Awake;
	/** Signals of this turn that need a reply. */
	readonly heard: readonly Heard[];
	/** Calls in which it waits for answers. */
	readonly listening: readonly Listening[];
	/** Why it is to move to CHECKPOINT, and the snapshot that must be taken before. */
	readonly pause?: {readonly reason: string; readonly why: string};
	/** Since when a person holds it: no turn of it runs or begins. */
	readonly held?: string;
	/** Visitors in its worktree, and whether it stays held when the last of them has left. */
	readonly visits?: {readonly ids: readonly string[]; readonly staysHeld: boolean};
	/** Reasons for which a snapshot is to be taken. */
	readonly wanted: readonly string[];
	readonly outcome?: AgentOutcome;
	/** Parts of a standard response that it has given in this turn. */
	readonly response?: Response;
	readonly report?: Report;
	readonly reminded: boolean;
	readonly verdict: Verdict;
	/** Delegated work that it waits for. */
	readonly awaits?: readonly Awaited[];
	/** Decided replies that the agent has not been given yet. */
	readonly replies: readonly Reply[];
	/** Replies that its last turn was given; they are given again when that turn came to nothing. */
	readonly delivered: readonly Reply[];
	/** Items whose replies were written to its open input, since which it has said nothing. */
	readonly unread?: readonly string[];
	/** Decided permissions that its turn has not been given yet. */
	readonly permits: readonly Permit[];
	readonly malformed: readonly Malformed[];
	readonly snapshots: readonly Snapshot[];
	/** The first `mostViolations` of what was reverted and what was refused in all its life, each once. */
	readonly violations: readonly Violation[];
	/** How often in all its life something was reverted, and something refused. */
	readonly violationCounts: {readonly reverted: number; readonly blocked: number};
	/** Its name for the conversation that its next turn goes on with. */
	readonly conversation?: string;
	/** When a turn last began in that conversation, for which a new process may have taken it up. */
	readonly conversationSince?: string;
	/** Number of the turn in which it was opened. */
	readonly conversationTurn?: number;
	/** The ways to log in that its program announced, where its last start or turn failed for want of a login. */
	readonly loginWays?: readonly LoginWay[];
	/** The commands of its own that its program announced last. */
	readonly commands?: readonly SlashCommand[];
	/** The id of the one that a person chose; its program logs in by it whenever it wants a login. */
	readonly loginBy?: string;
	/** Number of the snapshot that the worktree is to be set back to. */
	readonly restore?: number;
	/** Reverted paths that a person granted, to be brought back once its worktree is still, and the number of the event that says so. */
	readonly granted?: {readonly paths: readonly string[]; readonly since: number};
	/** A person's answers about what it was denied. */
	readonly access?: readonly Access[];
	/** Number of the snapshot at which a person, or the plan's supervision, last let it go on. */
	readonly reviewed?: number;
	/** Last results of the plan's checks on its work alone. */
	readonly checks: readonly SnapshotCheck[];
	/** The snapshot that a person wants checked, and the number of the event that says so. */
	readonly toCheck?: {readonly number: number; readonly since: number};
	/** The conflict that it is to propose a settlement of; its work is in no merge by itself. */
	readonly arbitrates?: string;
	/** Why an arbiter was not told what a person said to it last. */
	readonly unheard?: string;
	/** Agents on whose work it is to bring its own changes in again, the target's tip below them. */
	readonly rework?: readonly string[];
	/** How many files it may change, where a person has let it change more than one agent should. */
	readonly fileBudget?: number;
	/** Usage of its processes, as last reported, and the limits that a person has set. */
	readonly load?: Load;
	readonly loadBudget?: Load;
	readonly progress: number | null;
	/** Checkpoints that it said or that were taken. */
	readonly checkpoints: number;
	/** When the last of them was. */
	readonly checkpointAt?: string;
	readonly errors: number;
	readonly updates: Updates;
};

/** The agent on whose request another one is added, and what it says both must agree on. */
export type Requester = {readonly by: string; readonly coordination?: string};

/** An agent as the plan names it, before anything happened. */
export const newAgent = (subtask: Subtask, at: Awake, requester?: Requester): Agent => ({
	id: subtask.id,
	subtask,
	...defined({requestedBy: requester?.by, coordination: requester?.coordination}),
	state: 'PENDING',
	why: 'planned',
	since: at,
	workspace: {phase: 'wanted'},
	turn: {phase: 'none', number: 0},
	turnsInVain: 0,
	workedMs: 0,
	timeoutMs: subtask.timeoutMs,
	...budgetsOf(subtask),
	reminded: false,
	heard: [],
	listening: [],
	wanted: [],
	verdict: {kind: 'none'},
	replies: [],
	delivered: [],
	permits: [],
	malformed: [],
	snapshots: [],
	violations: [],
	violationCounts: {reverted: 0, blocked: 0},
	checks: [],
	progress: null,
	checkpoints: 0,
	errors: 0,
	updates: noUpdates,
});

/** Takes an agent out of the session; its work stays pinned. Only what a person chose in so many words does this. */
export const cancel = (agent: Agent, why: string): Agent => ({
	...agent,
	verdict: {kind: 'cancelled', why},
});

/** The accepted part of an agent's work, if not all of it. */
export type Taken = Partial<Omit<Extract<Verdict, {kind: 'accepted'}>, 'kind'>>;

/** Takes an agent's work into the merge as it stands: a worktree that was still to be set back stays as it is. */
export const accept = (agent: Agent, {only = [], ...taken}: Taken = {}): Agent => ({
	...omit(agent, 'restore'),
	verdict: {kind: 'accepted', only, ...taken},
});

/** Ends an agent's work by a person's word in place of its own. */
export const outcomeByPerson = (why: string): AgentOutcome => ({to: 'COMPLETE', why, by: 'person'});

/** Records that a person has reviewed the work up to a snapshot, by default the last one. */
export const withReview = (agent: Agent, at = lastSnapshot(agent)?.number): Agent =>
	at === undefined ? agent : {...agent, reviewed: at};

/** Returns the snapshot since which its work is new; nothing where all of it is, or none. */
export const reviewedSnapshot = (agent: Agent): Snapshot | undefined =>
	agent.reviewed === lastSnapshot(agent)?.number
		? undefined
		: agent.snapshots.find(({number}) => number === agent.reviewed);

/** Work that an agent handed on and can't go on without. */
export type Awaited = {
	/** The agent that does it. */
	readonly agent: string;
	/** Reply to the waiting agent once it is done, still without results. */
	readonly reply: Reply;
};

/** A call that is held open for a person's answer. */
export type Listening = {
	/** Number of the event by which it asked. */
	readonly seq: number;
	readonly items: readonly string[];
	/** When it is let go without an answer. */
	readonly until: Awake;
};

/** A signal of a turn that needs a reply: how often it was said in text and by a tool, and its outcome. */
export type Heard = {
	readonly content: string;
	readonly text: number;
	readonly tool: number;
	/** Items that it opened when it was last counted. */
	readonly items: readonly string[];
};

/** Returns the files in which an agent found conflict markers, to be resolved. */
export const markedFor = ({workspace}: Agent): readonly string[] =>
	workspace.phase === 'ready' ? workspace.conflicts : [];

/** Returns the last snapshot of an agent. */
export const lastSnapshot = (agent: Agent): Snapshot | undefined => agent.snapshots.at(-1);
