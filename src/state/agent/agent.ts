import type {SlashCommand} from '../../events/agent-order.ts';
import type {Awake} from '../../events/deadline.ts';
import type {AgentState, BodyOf, PromptKind, Silence, TreeEntry} from '../../events/event.ts';
import type {Load} from '../../events/load.ts';
import type {LoginWay, ModelTrouble} from '../../events/model-trouble.ts';
import type {Subtask} from '../../events/plan.ts';
import type {Permit, Reply} from '../../events/reply.ts';
import {defined, omit} from '../../lib/values.ts';
import type {Malformed, Signal} from '../../signals/index.ts';
import {budgetsOf} from './spending.ts';
import {noUpdates, type Response, type Updates} from './updates.ts';

type Report = Extract<Signal, {kind: 'completion_report'}>;

/** One run of an agent's process. Turns are numbered from 1 over an agent's whole life, including retries. */
export type Turn =
	/** No turn since its start; `number` is that of the last one before, or 0. */
	| {readonly phase: 'none'; readonly number: number}
	| (Pick<BodyOf<'turn.started'>, 'prompt' | 'pid' | 'startTime' | 'takesWords'> & {
			readonly phase: 'live';
			readonly number: number;
			readonly startedAt: string;
			/** Start of its working time, without pauses. */
			readonly countedFrom: Awake;
			/** Time since which it is frozen because the disk is full. */
			readonly pausedAt?: Awake;
			/** True if its model has sent nothing since the turn began, for a while. */
			readonly quiet?: true;
			/** Time since which it has sent nothing, and the action that it was in, once that is long. */
			readonly silent?: Silence;
	  })
	| (Pick<BodyOf<'turn.ended'>, 'end' | 'lastError' | 'lastWords'> & {
			readonly phase: 'ended';
			readonly number: number;
			readonly prompt: PromptKind;
	  });

/** Base of the work and baseline of its changes. */
export type StartingPoint = Pick<
	BodyOf<'workspace.prepared'>,
	'base' | 'baseline' | 'onto' | 'conflicts'
>;

/** An agent's worktree, and the commits that it starts from. */
export type Workspace =
	| {readonly phase: 'wanted'}
	| (StartingPoint & {
			readonly phase: 'ready';
			/** Tree that the worktree was last set to, until the next snapshot. */
			readonly tree?: string;
	  });

/** A pinned commit of an agent's whole worktree. */
export type Snapshot = Omit<BodyOf<'snapshot.taken'>, 'kind' | 'agent' | 'checkpoint'> & {
	/** Base of `work`, even if the worktree has been rebased since. */
	readonly startingPoint: StartingPoint;
	readonly at: string;
};

/** Result of the plan's checks on a snapshot; without an outcome, the reason why they could not run. */
export type SnapshotCheck = {
	readonly number: number;
	readonly tree: string;
	readonly at: string;
} & (
	| Pick<BodyOf<'snapshot.checked'>, 'ok' | 'commands' | 'log'>
	| {readonly ok: null; readonly why: string}
);

/** A violation of an agent's scope: the path, or the words of a refused command. */
export type Violation = {readonly path: string; readonly refused: boolean};

/** Maximum number of violations: each new one copies the list, so reverting 40,000 files would take minutes to replay. */
export const mostViolations = 500;

/** An agent's final report on its subtask, or a person's in its place. */
export type AgentOutcome = {
	readonly to: 'COMPLETE' | 'FAILED';
	readonly why: string;
	readonly by: 'agent' | 'person';
};

/** A person's decision about an agent as a whole. */
type Verdict =
	| {readonly kind: 'none'}
	/** Its work goes into the merge: the paths that match a glob of `only`, or the parts that a person picked. */
	| {
			readonly kind: 'accepted';
			readonly only: readonly string[];
			readonly files?: readonly {readonly path: string; readonly entry: TreeEntry | null}[];
			/** The rivals with which it was taken: one as a whole, parts of the others. It can't be taken without them. */
			readonly beside?: readonly string[];
			/** Paths that it leaves to them. */
			readonly without?: readonly string[];
			/** True if a person wants it merged without waiting for the others. */
			readonly now?: true;
	  }
	| {readonly kind: 'retried'; readonly from: number | null}
	| {readonly kind: 'cancelled'; readonly why: string};

/** Successive turns without a result since the agent's model had trouble. */
export type TroubledTurns = {
	/** Cause and time of the last failure. */
	readonly last: ModelTrouble;
	readonly at: Awake;
	/** Number of tries among them; waiting for a limit counts as none. */
	readonly count: number;
	/** Number of turns that met a limit. */
	readonly limits?: number;
	/** Number of the first such turn. */
	readonly first: number;
	/** True if a person wants the next try at once. */
	readonly hurried?: true;
};

/** A person's answer to a denial: allow it for the agent's next process, for all later ones, or for none. */
export type Access = Denial & {
	readonly granted: 'once' | 'session' | 'never';
	/** True if no process was started with it yet. */
	readonly isNew?: true;
};

/** An access that an agent was denied outside its worktree; `path` is a socket or a host for `connect`. */
export type Denial = {readonly path: string; readonly to: 'read' | 'write' | 'connect'};

export type Agent = {
	readonly id: string;
	readonly subtask: Subtask;
	readonly requestedBy?: string;
	/** The new agent's note on what both must agree on. */
	readonly coordination?: string;
	readonly state: AgentState;
	/** Reason why it is in this state, in words. */
	readonly why: string;
	readonly since: Awake;
	/** Time at which a person last extended its start. */
	readonly extendedAt?: Awake;
	readonly startedAt?: string;
	readonly lastAt?: string;
	readonly workspace: Workspace;
	/** Snapshot from which its worktree was recreated, until the agent is told; null if there was none yet. */
	readonly rebuilt?: number | null;
	readonly turn: Turn;
	/** Number of turns since a person's last word to it, or since a turn that changed its worktree and was not lost. */
	readonly turnsInVain: number;
	/** Trouble with its model, until a turn ends well or a person has it start over. */
	readonly troubled?: TroubledTurns;
	/** Working time in turns that ended, in milliseconds. */
	readonly workedMs: number;
	/** Time limit for all its turns, in milliseconds; a person can extend it. */
	readonly timeoutMs: number;
	/** Limits of tokens and US dollars; a person can extend them. */
	readonly tokenBudget?: number;
	readonly moneyBudget?: number;
	/** Usage at the last comparison with these limits; no money if the agent reports none. */
	readonly tokens?: number;
	readonly money?: number;
	/** Limit that it was told it has reached, with the time, and its checkpoint after that. */
	readonly closing?: {
		readonly of: 'work' | 'tokens' | 'money';
		readonly shared?: true;
		readonly since: Awake;
		readonly said?: Extract<Signal, {kind: 'checkpoint'}>;
	};
	/** Time of the first signal in this turn after which the turn is expected to end. */
	readonly spokeAt?: Awake;
	/** Signals of this turn that need a reply. */
	readonly heard: readonly Heard[];
	/** Calls that wait for answers. */
	readonly listening: readonly Listening[];
	/** Reason for its move to CHECKPOINT, and the snapshot that must be taken before. */
	readonly pause?: {readonly reason: string; readonly why: string};
	/** Time since which a person holds it: no turn runs or begins. */
	readonly held?: string;
	/** Visitors in its worktree, and whether it stays held after the last one has left. */
	readonly visits?: {readonly ids: readonly string[]; readonly staysHeld: boolean};
	/** Reasons of snapshots that are to be taken. */
	readonly wanted: readonly string[];
	readonly outcome?: AgentOutcome;
	/** Parts of a standard response in this turn. */
	readonly response?: Response;
	readonly report?: Report;
	readonly reminded: boolean;
	readonly verdict: Verdict;
	/** Delegated work that it waits for. */
	readonly awaits?: readonly Awaited[];
	/** Decided replies that are not delivered yet. */
	readonly replies: readonly Reply[];
	/** Replies delivered in its last turn; they are delivered again if that turn is lost or fails. */
	readonly delivered: readonly Reply[];
	/** Items whose replies were written to its open input, and after which it has sent nothing. */
	readonly unread?: readonly string[];
	/** Decided permissions that its turn did not get yet. */
	readonly permits: readonly Permit[];
	readonly malformed: readonly Malformed[];
	readonly snapshots: readonly Snapshot[];
	/** First `mostViolations` reverted and refused paths of its whole life, without duplicates. */
	readonly violations: readonly Violation[];
	/** Numbers of reverts and refusals in its whole life. */
	readonly violationCounts: {readonly reverted: number; readonly blocked: number};
	/** The agent's name for the conversation that its next turn continues. */
	readonly conversation?: string;
	/** Time at which a turn last began in that conversation, in case a new process resumes it. */
	readonly conversationSince?: string;
	/** Number of the turn in which it was opened. */
	readonly conversationTurn?: number;
	/** Ways to log in that its program announced, if its last start or turn failed without a login. */
	readonly loginWays?: readonly LoginWay[];
	/** Slash commands that its program announced last. */
	readonly commands?: readonly SlashCommand[];
	/** Id of the way to log in that a person chose; its program uses it whenever it needs a login. */
	readonly loginBy?: string;
	/** Number of the snapshot to which the worktree is to be restored. */
	readonly restore?: number;
	/** Reverted paths that a person granted, to be restored once no turn runs, and the number of the grant's event. */
	readonly granted?: {readonly paths: readonly string[]; readonly since: number};
	/** A person's answers to its denials. */
	readonly access?: readonly Access[];
	/** Number of the snapshot at which a person, or the plan's supervision, last let it continue. */
	readonly reviewed?: number;
	/** Last results of the plan's checks on its work alone. */
	readonly checks: readonly SnapshotCheck[];
	/** Snapshot that a person wants checked, and the number of the request's event. */
	readonly toCheck?: {readonly number: number; readonly since: number};
	/** Conflict for which it is to propose a resolution; its own work is in no merge. */
	readonly arbitrates?: string;
	/** Reason why an arbiter did not get a person's last message. */
	readonly unheard?: string;
	/** Agents on whose work it has to redo its own changes, above the target's tip. */
	readonly rework?: readonly string[];
	/** Number of files that it may change, if a person raised the limit. */
	readonly fileBudget?: number;
	/** Last reported usage of its processes, and the limits that a person has set. */
	readonly load?: Load;
	readonly loadBudget?: Load;
	readonly progress: number | null;
	/** Number of checkpoints, reported or taken. */
	readonly checkpoints: number;
	readonly checkpointAt?: string;
	readonly errors: number;
	readonly updates: Updates;
};

/** Agent that requests another one, and its note on what both must agree on. */
export type Requester = {readonly by: string; readonly coordination?: string};

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

/** Takes an agent out of the session; its work stays pinned. Only an explicit choice of a person does this. */
export const cancel = (agent: Agent, why: string): Agent => ({
	...agent,
	verdict: {kind: 'cancelled', why},
});

/** Accepted part of an agent's work, if not all of it. */
export type Taken = Partial<Omit<Extract<Verdict, {kind: 'accepted'}>, 'kind'>>;

/** Takes an agent's work into the merge as it is: a restore that was still due is dropped. */
export const accept = (agent: Agent, {only = [], ...taken}: Taken = {}): Agent => ({
	...omit(agent, 'restore'),
	verdict: {kind: 'accepted', only, ...taken},
});

/** Returns a completion by a person in place of the agent's report. */
export const outcomeByPerson = (why: string): AgentOutcome => ({to: 'COMPLETE', why, by: 'person'});

/** Records that a person reviewed the work up to a snapshot, by default the last one. */
export const withReview = (agent: Agent, at = lastSnapshot(agent)?.number): Agent =>
	at === undefined ? agent : {...agent, reviewed: at};

/** Returns the snapshot that was reviewed last; nothing if all work is new, or none is. */
export const reviewedSnapshot = (agent: Agent): Snapshot | undefined =>
	agent.reviewed === lastSnapshot(agent)?.number
		? undefined
		: agent.snapshots.find(({number}) => number === agent.reviewed);

/** Work that an agent handed on and needs before it can continue. */
export type Awaited = {
	/** Agent that does the work. */
	readonly agent: string;
	/** Reply to the waiting agent, to be completed with the results. */
	readonly reply: Reply;
};

/** A call that is held open for a person's answer. */
export type Listening = {
	/** Number of the event that asked. */
	readonly seq: number;
	readonly items: readonly string[];
	/** Time at which the call ends without an answer. */
	readonly until: Awake;
};

/** A signal of a turn that needs a reply: the number of times it came as text and by tool, and its outcome. */
export type Heard = {
	readonly content: string;
	readonly text: number;
	readonly tool: number;
	/** Items that its last count opened. */
	readonly items: readonly string[];
};

/** Returns the files with conflict markers that an agent has to resolve. */
export const markedFor = ({workspace}: Agent): readonly string[] =>
	workspace.phase === 'ready' ? workspace.conflicts : [];

export const lastSnapshot = (agent: Agent): Snapshot | undefined => agent.snapshots.at(-1);
