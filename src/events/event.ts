import type {Signal} from '../signals/index.ts';
import type {AgentOrder, SlashCommand} from './agent-order.ts';
import type {Asker} from './asker.ts';
import type {SurfaceChange} from './finding.ts';
import type {GitSettings, MachineEvent, RestartFinding, Sandbox} from './kinds/machine-event.ts';
import type {CommandRun, LogFile, MergeEvent, Replayed, TreeEntry} from './kinds/merge-event.ts';
import type {HiddenWork, LoginWay, ModelTrouble} from './model-trouble.ts';
import type {Plan, Subtask} from './plan.ts';
import type {Settings} from './settings.ts';

export type {Asker} from './asker.ts';
export type {FailureLocation, LogFile, TreeEntry} from './kinds/merge-event.ts';

/** Source of a decision: a person, the demo's script, the plan's supervision level, the author of an answer file, or a user of the page of `delegate-tui web`. */
export type DecidedBy = 'user' | 'demo' | 'policy' | 'file' | 'web';

export type PersonEvent = DecidedEvent | SteeredEvent;

type SteeredEvent = {
	readonly kind: 'user.steered';
	readonly agent: string;
	readonly order: AgentOrder;
	/** The process that asked; absent if the system doesn't identify it. */
	readonly asker?: Asker;
};

type DecidedEvent = {
	readonly kind: 'user.decided';
	/** An item of the inbox, or `session` for decisions about the whole session. */
	readonly item: string;
	readonly choice: string;
	readonly note?: string;
	readonly by: DecidedBy;
	/** Id of the user who owns the deciding file. */
	readonly owner?: number;
	/** The process that asked; absent if there was none, or the system doesn't identify it. */
	readonly asker?: Asker;
	/** Files of a manual resolution, as they were when the person finished it. */
	readonly files?: readonly TakenFile[];
	/** Doubts about these files; if there are any, the person must repeat the choice to take them. */
	readonly doubts?: readonly string[];
	/** Snapshots of an agent that applied to others' work. */
	readonly replayed?: Replayed;
	/** Plan that replaces the current one. */
	readonly plan?: Plan;
	/** Warnings about that plan; if there are any, the edit doesn't approve the plan. */
	readonly warnings?: readonly string[];
	readonly subtask?: Subtask;
	readonly rivals?: readonly Subtask[];
};

/** A file to take; null if it is deleted. */
export type TakenFile = {
	readonly path: string;
	readonly entry: TreeEntry | null;
	/** The agent whose work it is from, if it isn't the one in the choice. */
	readonly of?: string;
};

/** An event before the journal adds a number and a time. */
export type Body =
	| SessionEvent
	| AgentEvent
	| PersonEvent
	| QuestionEvent
	| MergeEvent
	| MachineEvent;

/** A fact: never changed, numbered without gaps within a session. */
export type Event = Body & {
	readonly seq: number;
	readonly at: string;
	/** How far the wall clock is ahead of the session time, in milliseconds; absent if unchanged since the previous event. */
	readonly aheadMs?: number;
};

export type EventOf<Kind extends Body['kind']> = Extract<Event, {kind: Kind}>;

export type BodyOf<Kind extends Body['kind']> = Extract<Body, {kind: Kind}>;

/** The eight states of an agent; `PROTOCOL, States`. */
export type AgentState =
	| 'PENDING'
	| 'SPAWNING'
	| 'RUNNING'
	| 'CHECKPOINT'
	| 'COMPLETE'
	| 'FAILED'
	| 'MERGED'
	| 'ABORTED';

/**
How a turn (one run of an agent's process) ended.

`stopped`: the supervisor ended it. `lost`: the end is unknown, since the supervisor was gone. `error`: the agent's answer to its prompt, or the reason why there was none; `trouble` is set if the model caused it.
*/
export type TurnEnd =
	| {readonly by: 'exit'; readonly code: number}
	| {readonly by: 'signal'; readonly signal: string}
	| {readonly by: 'error'; readonly cause: string; readonly trouble?: ModelTrouble}
	| {readonly by: 'stopped'}
	| {readonly by: 'lost'};

/** Time since which an agent has written nothing, and the title of the tool that it is using. */
export type Silence = {readonly since: string; readonly during?: string};

/** Purpose of a turn's prompt. */
export type PromptKind = 'launch' | 'reminder' | 'resume';

/** A claim of an agent about its work, and whether git confirms it. */
export type Claim = {readonly claim: string} & (
	| {readonly holds: true; readonly found?: 'passed' | 'failed'}
	| {
			readonly holds: false;
			/** Actual state: reverted, missing or unchanged; or its tests failed, or passed. */
			readonly found: 'reverted' | 'missing' | 'unchanged' | 'passed' | 'failed';
	  }
);

export type WrongClaim = Claim & {readonly holds: false};

/** A path in an agent's worktree that no snapshot can contain. */
export type MissedPath = {
	readonly path: string;
	/** A pipe, socket or device in place of a tracked file; a file or folder we may not read, or whose path is too long; content of a submodule; a name that git refuses; a repository inside that has such a name or lies too deep. */
	readonly why: 'special' | 'unreadable' | 'long' | 'submodule' | 'name' | 'nested';
};

export type AgentEvent = {readonly agent: string} & (
	| TurnEvent
	| {
			readonly kind: 'agent.moved';
			readonly from: AgentState;
			readonly to: AgentState;
			readonly why: string;
	  }
	| {
			readonly kind: 'workspace.prepared';
			/** Commit on which the agent's work is based. */
			readonly base: string;
			/** Tree of the worktree before the agent's first act, after `setup`. */
			readonly baseline: string;
			/** Agents whose work is part of `base`. */
			readonly onto: readonly string[];
			/** Paths with conflict markers that the agent must resolve. */
			readonly conflicts: readonly string[];
			/** Tree of the worktree, if it is neither the baseline nor the last snapshot. */
			readonly tree?: string;
			/** Set if the worktree was gone and had to be recreated. */
			readonly rebuilt?: {
				/** Snapshot with the files; null if there was none yet. */
				readonly snapshot: number | null;
				/** Path of the entry that was in its place, relative to the session's folder. */
				readonly aside: string;
			};
	  }
	/** An agent that joined, or switched to another program, has the login of one that met a limit. */
	| {
			readonly kind: 'limit.shared';
			/** The agent that met it, and the time at which it ends. */
			readonly metBy: string;
			readonly until: string;
	  }
	/** Its program requires a login first. */
	| {readonly kind: 'login.wanted'; readonly ways: readonly LoginWay[]}
	/** Its program announced its commands, which replace earlier ones. */
	| {readonly kind: 'commands.announced'; readonly commands: readonly SlashCommand[]}
	/** A person's command in its worktree has ended. */
	| {
			readonly kind: 'command.ended';
			/** The item that it belongs to, and the number of the event that decided it. */
			readonly item: string;
			readonly since: number;
			readonly command: string;
			/** Null if a signal ended it, or it could not start. */
			readonly code: number | null;
			/** Reason for a missing exit code. */
			readonly why?: string;
			/** Last lines of its output. */
			readonly tail: readonly string[];
			/** File with its whole output, relative to the session's folder. */
			readonly log: string;
	  }
	| {
			readonly kind: 'scope.left';
			/** Path; or the words of a refused command. */
			readonly path: string;
			/** The reverted change; `refused` was requested and never happened. */
			readonly change: 'added' | 'modified' | 'deleted' | 'refused';
			readonly why: string;
			/** Patch of the change, relative to the session's folder; empty for a refusal. */
			readonly patch: string;
			/** Reason why it could not be reverted, and so still exists. */
			readonly stuck?: string;
	  }
	/** Reverted changes to these paths are restored, since a person granted them. */
	| {
			readonly kind: 'scope.granted';
			/** Number of the event that granted it. */
			readonly since: number;
			readonly paths: readonly string[];
			/** Paths that stay reverted, with the reasons. */
			readonly left: readonly {readonly path: string; readonly why: string}[];
	  }
	| {
			readonly kind: 'snapshot.taken';
			readonly number: number;
			readonly reason: string;
			/** Set for a checkpoint that the agent didn't declare: it was taken at an interval, or before a risky action. */
			readonly checkpoint?: true;
			readonly commit: string;
			readonly tree: string;
			/** Commit that can be merged: the base with only the changes inside the scope. */
			readonly work: string;
			readonly files: number;
			/** Number of changed lines, if the work is compared with a rival's. */
			readonly lines?: {readonly added: number; readonly removed: number};
			/** Changed paths that are not in `work`. */
			readonly outside: readonly string[];
			/** Paths of `outside` that could not be reverted. */
			readonly stuck?: readonly string[];
			readonly claims: readonly Claim[];
			/** Changes in `work` to files that run by themselves or link elsewhere. */
			readonly surface?: readonly SurfaceChange[];
			/** Further notes on `work`, one sentence each. */
			readonly notes?: readonly string[];
			/** Paths in the worktree that are in neither `tree` nor `work`. */
			readonly missed?: readonly MissedPath[];
			/** Files that the agent hid from both, found after its turn. */
			readonly hidden?: readonly HiddenWork[];
	  }
	/** Result of the plan's checks on an agent's work alone, by snapshot. */
	| {
			readonly kind: 'snapshot.checked';
			readonly number: number;
			/** Number of the event that asked for it; 0 if the config does. */
			readonly since: number;
			readonly tree: string;
			readonly ok: boolean;
			readonly commands: readonly CommandRun[];
			readonly log: LogFile | null;
	  }
	| {readonly kind: 'snapshot.restored'; readonly number: number}
);

/** Events in a turn of an agent. */
type TurnEvent = {readonly turn: number} & (
	| {
			readonly kind: 'turn.started';
			readonly prompt: PromptKind;
			readonly pid: number;
			/** Start time of the process according to the system, since a pid alone may be reused. */
			readonly startTime: string;
			/** Items whose replies were in the prompt. */
			readonly items: readonly string[];
			/** Keys of the conflicts with others' work in the prompt. */
			readonly collisions?: readonly string[];
			/** Set if the turn accepts a person's messages. */
			readonly takesWords?: true;
			/** Number of access decisions that its process started with; absent if there were none. */
			readonly access?: number;
	  }
	| {
			readonly kind: 'turn.changed';
			/** `paused`: the turn and all its processes are frozen, and keep their pipes. `quiet`: it hasn't written a word for a while since its start. `heard`: it has written again after that, or after a silence. */
			readonly to: 'paused' | 'going' | 'quiet' | 'heard';
	  }
	| ({
			readonly kind: 'turn.changed';
			/** It has written nothing for minutes, although it should be working. */
			readonly to: 'silent';
	  } & Silence)
	| {
			readonly kind: 'conversation.opened';
			/** The agent's name for it, with which another process can resume it. */
			readonly conversation: string;
			/** Set if the agent resumed an earlier conversation but didn't know its content. */
			readonly because?: 'forgotten';
	  }
	| {
			readonly kind: 'permission.asked';
			/** Identifies the request within the session; the turn waits for the answer. */
			readonly request: string;
			/** The agent's title for its request. */
			readonly title: string;
			/** The shell command, if it is one. */
			readonly command?: string;
			readonly paths: readonly string[];
	  }
	| {readonly kind: 'reply.delivered'; readonly items: readonly string[]}
	| {
			readonly kind: 'tokens.counted';
			/** Tokens that it has used in the session, recorded near its limit and beyond. */
			readonly tokens: number;
			/** The same in US dollars, if it reports any. */
			readonly money?: number;
			/** Usage of all agents, if the plan has a shared budget. */
			readonly all?: {readonly tokens: number; readonly money?: number};
	  }
	| {
			readonly kind: 'load.counted';
			/** Usage of its processes, recorded near their limits and beyond: bytes of memory, and their number. */
			readonly memory: number;
			readonly processes: number;
			/** Processor time in this turn in milliseconds, bytes on the disk, and bytes of output in this turn, if a limit is near. */
			readonly cpu?: number;
			readonly disk?: number;
			readonly output?: number;
	  }
	| {
			readonly kind: 'turn.ended';
			readonly end: TurnEnd;
			/** Last line of stderr, the most likely cause of a failure. */
			readonly lastError?: string;
			/** Its last line, if it didn't report its status in the turn: some agents only write that their model failed. */
			readonly lastWords?: string;
	  }
	| {
			readonly kind: 'signal.said';
			readonly signal: Signal;
			/** Length of the turn's transcript up to the end of the chunk that completed the signal, in bytes. */
			readonly offset: number;
			/** Source of a signal that is in no transcript: a tool call, or a file in the worktree. */
			readonly by?: 'tool' | 'file';
			/** The file, if it contains questions. */
			readonly file?: QuestionFile;
	  }
	/** A tool was denied access to a host, or to a path outside its worktree that exists for the person. */
	| {
			readonly kind: 'access.denied';
			/** Path, or name of the host. */
			readonly path: string;
			readonly to: 'read' | 'write' | 'connect';
	  }
);

export type SessionEvent =
	| {
			readonly kind: 'session.started';
			readonly session: string;
			readonly repository: {readonly id: string; readonly root: string};
			readonly target: string;
			/** Set if the target branch didn't exist: the first merge creates it at `base`. */
			readonly newTarget?: true;
			/** The target's tip, or HEAD for a new target; every agent starts from it. */
			readonly base: string;
			readonly plan: Plan;
			readonly settings: Settings;
			/** Git settings before any agent ran. */
			readonly gitSettings: GitSettings;
			/** Warnings about the plan, shown before it is approved. */
			readonly warnings: readonly string[];
			readonly demo: boolean;
	  }
	| {readonly kind: 'session.ended'; readonly status: 'COMPLETE' | 'ABORTED'; readonly why: string}
	| {
			readonly kind: 'supervisor.started';
			readonly pid: number;
			readonly version: string;
			/** Sandbox that this machine allowed at the start. */
			readonly sandbox: Sandbox;
			/** Findings of a start after a crash. */
			readonly found?: RestartFinding;
	  }
	| {readonly kind: 'target.moved'; readonly from: string; readonly to: string};

/** File with an agent's questions; `PROTOCOL, Questions on disk`. */
export type QuestionFile = {
	/** Its name without the ending, which is the id of the questions. */
	readonly id: string;
	/** Its name in the agent's own folder, if it was written there; its name in the person's folder may differ. */
	readonly inner?: string;
	/** Id of the user who owns it. */
	readonly owner: number;
	/** Checkpoint file from which the agent continues. */
	readonly checkpoint?: string;
	/** The agent's name for its work. */
	readonly workflow?: string;
};

type QuestionEvent =
	| {
			/** An agent removed the file of a question before an answer was known: it no longer needs one, or has one. */
			readonly kind: 'question.withdrawn';
			readonly agent: string;
			/** Name of the file, without its ending. */
			readonly file: string;
	  }
	| {
			readonly kind: 'answer.rejected';
			/** Its question; the name of the file if there is none. */
			readonly item: string;
			readonly why: string;
			/** Path to which the file was moved. */
			readonly kept: string;
			/** Id of the user who owned the file; null if that is unknown. */
			readonly owner: number | null;
	  };
