import type {Signal} from '../signals/index.ts';
import type {AgentOrder, SlashCommand} from './agent-order.ts';
import type {Asker} from './asker.ts';
import type {SurfaceChange} from './finding.ts';
import type {GitSettings, MachineEvent, RestartFinding, Sandbox} from './kinds/machine-event.ts';
import type {CommandRun, LogFile, MergeEvent, Replayed, TreeEntry} from './kinds/merge-event.ts';
import type {Load} from './load.ts';
import type {HiddenWork, LoginWay, ModelTrouble} from './model-trouble.ts';
import type {NotifySettings, Plan, Subtask} from './plan.ts';

export type {Asker} from './asker.ts';
export type {FailureLocation, LogFile, TreeEntry} from './kinds/merge-event.ts';

/** The decider: a person, the demo's script, the plan's supervision level, the author of an answer file, or a user of the page of `delegate-tui web`. */
export type DecidedBy = 'user' | 'demo' | 'policy' | 'file' | 'web';

/** Decisions of people, and their orders to agents. */
export type PersonEvent = DecidedEvent | SteeredEvent;

type SteeredEvent = {
	readonly kind: 'user.steered';
	readonly agent: string;
	readonly order: AgentOrder;
	/** The process that asked; absent if the system doesn't tell. */
	readonly asker?: Asker;
};

type DecidedEvent = {
	readonly kind: 'user.decided';
	/** An item of the inbox, or `session` for what concerns it as a whole. */
	readonly item: string;
	readonly choice: string;
	readonly note?: string;
	readonly by: DecidedBy;
	/** Id of the user whose file decided. */
	readonly owner?: number;
	/** The process that asked; absent if none did, or the system doesn't tell. */
	readonly asker?: Asker;
	/** Paths of a resolution made by hand, as they were when the person said it is done. */
	readonly files?: readonly TakenFile[];
	/** Doubts about these files; with any, the same choice again is needed to take them. */
	readonly doubts?: readonly string[];
	/** How far an agent's snapshots applied to the work of others. */
	readonly replayed?: Replayed;
	/** The plan that an edit replaces, or the subtask that is added. */
	readonly plan?: Plan;
	/** Warnings of that plan; with any, the edit approves nothing. */
	readonly warnings?: readonly string[];
	readonly subtask?: Subtask;
	/** The others that do that subtask as well. */
	readonly rivals?: readonly Subtask[];
};

/** A file as it is taken, or that it is taken away. */
export type TakenFile = {
	readonly path: string;
	readonly entry: TreeEntry | null;
	/** The agent whose work it is of, where it is not the one that the choice names. */
	readonly of?: string;
};

/** An event before the journal gives it a number and a time. */
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
	/** How far the clock is ahead of the session's own time, in milliseconds; as in the event before where that is not said. */
	readonly aheadMs?: number;
};

/** The events of one kind. */
export type EventOf<Kind extends Body['kind']> = Extract<Event, {kind: Kind}>;

/** The body of one kind of event. */
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

`stopped` is an end that the supervisor asked for; `lost` one that nobody saw, since the supervisor itself was gone. `error` is what an agent answered its prompt with, or why it never did; `trouble` is there when that was its model’s doing.
*/
export type TurnEnd =
	| {readonly by: 'exit'; readonly code: number}
	| {readonly by: 'signal'; readonly signal: string}
	| {readonly by: 'error'; readonly cause: string; readonly trouble?: ModelTrouble}
	| {readonly by: 'stopped'}
	| {readonly by: 'lost'};

/** Since when nothing at all came from an agent, and the tool that it is in the middle of, in its own words. */
export type Silence = {readonly since: string; readonly during?: string};

/** Purpose of a turn's prompt. */
export type PromptKind = 'launch' | 'reminder' | 'resume';

/** A claim of an agent about its work, with git's finding. */
export type Claim = {readonly claim: string} & (
	| {readonly holds: true; readonly found?: 'passed' | 'failed'}
	| {
			readonly holds: false;
			/** The actual state: reverted, missing or unchanged; its tests failed, or passed. */
			readonly found: 'reverted' | 'missing' | 'unchanged' | 'passed' | 'failed';
	  }
);

/** A wrong claim. */
export type WrongClaim = Claim & {readonly holds: false};

/** A path in an agent's worktree that no snapshot can hold. */
export type MissedPath = {
	readonly path: string;
	/** A pipe, socket or device in place of a tracked file; a file or folder we may not read, or whose path is too long; content of a submodule; a name that git refuses; a repository inside that has such a name or lies too deep. */
	readonly why: 'special' | 'unreadable' | 'long' | 'submodule' | 'name' | 'nested';
};

/** The life of an agent. */
export type AgentEvent =
	| {
			readonly kind: 'agent.moved';
			readonly agent: string;
			readonly from: AgentState;
			readonly to: AgentState;
			readonly why: string;
	  }
	| {
			readonly kind: 'workspace.prepared';
			readonly agent: string;
			/** Commit the agent's work stands on. */
			readonly base: string;
			/** Tree of the worktree before the agent's first act, after `setup`. */
			readonly baseline: string;
			/** Agents whose work is in `base`. */
			readonly onto: readonly string[];
			/** Paths that hold conflict markers for the agent to resolve. */
			readonly conflicts: readonly string[];
			/** Tree of the worktree, if it is neither the baseline nor the last snapshot. */
			readonly tree?: string;
			/** Says that the worktree was gone, and what it was recreated from. */
			readonly rebuilt?: {
				/** The snapshot whose files it holds; null when there was none yet. */
				readonly snapshot: number | null;
				/** Where what was there instead lies now, relative to the session's folder. */
				readonly aside: string;
			};
	  }
	| {
			readonly kind: 'turn.started';
			readonly agent: string;
			readonly turn: number;
			readonly prompt: PromptKind;
			readonly pid: number;
			/** The process's start time as the system tells it, since a pid alone may be reused. */
			readonly startTime: string;
			/** Items whose replies were in the prompt. */
			readonly items: readonly string[];
			/** Keys of the collisions with others' work that the prompt told of. */
			readonly collisions?: readonly string[];
			/** Set where a person's message can be told in the turn. */
			readonly takesWords?: true;
			/** How many of the decisions on paths outside its worktree its process was started with; absent where there was none. */
			readonly access?: number;
	  }
	| {
			readonly kind: 'turn.changed';
			readonly agent: string;
			readonly turn: number;
			/** A paused turn is frozen, with all its processes, and keeps its pipes; of one that is quiet no word came yet for a while; of one that is heard something came again after that, or after a silence. */
			readonly to: 'paused' | 'going' | 'quiet' | 'heard';
	  }
	| ({
			readonly kind: 'turn.changed';
			readonly agent: string;
			readonly turn: number;
			/** Nothing at all came of it for minutes, while it should be at work. */
			readonly to: 'silent';
	  } & Silence)
	/** An agent that joined, or works with another program now, has the login of one that met a limit. */
	| {
			readonly kind: 'limit.shared';
			readonly agent: string;
			/** The agent that met it, and until when it lasts. */
			readonly metBy: string;
			readonly until: string;
	  }
	| {
			readonly kind: 'conversation.opened';
			readonly agent: string;
			readonly turn: number;
			/** The agent's own name for it, by which it can be taken up in another process. */
			readonly conversation: string;
			/** The agent took up an earlier one, but knew nothing of it; absent where that is not so. */
			readonly because?: 'forgotten';
	  }
	/** Its program wants a login before it does anything. */
	| {readonly kind: 'login.wanted'; readonly agent: string; readonly ways: readonly LoginWay[]}
	/** Its program announced commands of its own, in place of those before. */
	| {
			readonly kind: 'commands.announced';
			readonly agent: string;
			readonly commands: readonly SlashCommand[];
	  }
	| {
			readonly kind: 'permission.asked';
			readonly agent: string;
			readonly turn: number;
			/** Names the request within the session; the turn waits until it is answered. */
			readonly request: string;
			/** The agent's title for its request. */
			readonly title: string;
			/** The shell command, when it is one. */
			readonly command?: string;
			/** The paths that it names. */
			readonly paths: readonly string[];
	  }
	/** A command that a person had run in its worktree has ended. */
	| {
			readonly kind: 'command.ended';
			readonly agent: string;
			/** The item that it was run for, and the number of the event by which that was decided. */
			readonly item: string;
			readonly since: number;
			readonly command: string;
			/** Null when it was ended by a signal, or could not be started. */
			readonly code: number | null;
			/** Why it has no exit code. */
			readonly why?: string;
			/** The last lines that it printed. */
			readonly tail: readonly string[];
			/** All that it printed, relative to the session's folder. */
			readonly log: string;
	  }
	| {
			readonly kind: 'reply.delivered';
			readonly agent: string;
			readonly turn: number;
			readonly items: readonly string[];
	  }
	| {
			readonly kind: 'tokens.counted';
			readonly agent: string;
			readonly turn: number;
			/** All that it has used up in the session, told as it comes near what it may use, and past that. */
			readonly tokens: number;
			/** The same in US dollars, where it tells any. */
			readonly money?: number;
			/** Usage of all agents, if the plan has a shared budget. */
			readonly all?: {readonly tokens: number; readonly money?: number};
	  }
	| {
			readonly kind: 'load.counted';
			readonly agent: string;
			readonly turn: number;
			/** Usage of its processes, reported near their limits and beyond: bytes of memory, and their number. */
			readonly memory: number;
			readonly processes: number;
			/** Milliseconds on the processor in this turn, and bytes on the disk and that it printed in this turn, where a limit is near. */
			readonly cpu?: number;
			readonly disk?: number;
			readonly output?: number;
	  }
	| {
			readonly kind: 'turn.ended';
			readonly agent: string;
			readonly turn: number;
			readonly end: TurnEnd;
			/** The last line it wrote on stderr, the likeliest cause of a failure. */
			readonly lastError?: string;
			/** The last line it said, when it said nothing in the turn of how its work stands: some agents tell only so that their model failed. */
			readonly lastWords?: string;
	  }
	| {
			readonly kind: 'signal.said';
			readonly agent: string;
			readonly turn: number;
			readonly signal: Signal;
			/** Bytes of the turn's transcript up to the end of the chunk that completed the signal. */
			readonly offset: number;
			/** How it was said when it stands in no transcript: by a call of a tool, or in a file of the worktree. */
			readonly by?: 'tool' | 'file';
			/** The file, where it is one of questions. */
			readonly file?: QuestionFile;
	  }
	| {
			readonly kind: 'scope.left';
			readonly agent: string;
			/** The path; of a refused command, its words. */
			readonly path: string;
			/** The reverted change; `refused` was requested and never happened. */
			readonly change: 'added' | 'modified' | 'deleted' | 'refused';
			readonly why: string;
			/** Where the change is kept, relative to the session's folder; empty for what was refused. */
			readonly patch: string;
			/** Why it could not be reverted, and so is still there. */
			readonly stuck?: string;
	  }
	/** A tool of it was denied a path outside its worktree that is there for the person, or a host. */
	| {
			readonly kind: 'access.denied';
			readonly agent: string;
			readonly turn: number;
			/** The path, or the name of the host. */
			readonly path: string;
			readonly to: 'read' | 'write' | 'connect';
	  }
	/** Reverted changes to these paths are restored, since a person granted them. */
	| {
			readonly kind: 'scope.granted';
			readonly agent: string;
			/** Number of the event by which it was granted. */
			readonly since: number;
			readonly paths: readonly string[];
			/** Paths that stay reverted, and why. */
			readonly left: readonly {readonly path: string; readonly why: string}[];
	  }
	| {
			readonly kind: 'snapshot.taken';
			readonly agent: string;
			readonly number: number;
			readonly reason: string;
			/** Set for a checkpoint that nobody said: it was taken since it was time, or before something risky. */
			readonly checkpoint?: true;
			readonly commit: string;
			readonly tree: string;
			/** The commit that can be merged: the base with the changes inside the scope, and no others. */
			readonly work: string;
			readonly files: number;
			/** How many lines of them differ, where the work is to be compared with a rival's. */
			readonly lines?: {readonly added: number; readonly removed: number};
			/** Changed paths that are not in `work`. */
			readonly outside: readonly string[];
			/** Those of them that could not be reverted. */
			readonly stuck?: readonly string[];
			readonly claims: readonly Claim[];
			/** Changes in `work` that run by themselves or link elsewhere. */
			readonly surface?: readonly SurfaceChange[];
			/** Further notes on `work`, a sentence each. */
			readonly notes?: readonly string[];
			/** Paths in the worktree that are in neither `tree` nor `work`. */
			readonly missed?: readonly MissedPath[];
			/** Files that the agent hid from both, searched after its turn. */
			readonly hidden?: readonly HiddenWork[];
	  }
	/** Result of the plan's checks on an agent's work alone, by snapshot. */
	| {
			readonly kind: 'snapshot.checked';
			readonly agent: string;
			readonly number: number;
			/** Number of the event that asked for it; 0 where the config does. */
			readonly since: number;
			readonly tree: string;
			readonly ok: boolean;
			readonly commands: readonly CommandRun[];
			readonly log: LogFile | null;
	  }
	| {
			readonly kind: 'snapshot.restored';
			readonly agent: string;
			readonly number: number;
	  };

/** How much a type checker may read and use for one comparison: source files, MiB of them, MiB of memory, seconds. */
export type TypeLimits = {
	readonly files?: number;
	readonly read?: number;
	readonly memory?: number;
	readonly seconds?: number;
};

/** Settings that a session keeps for its whole life, from the config at its start. */
export type Settings = {
	readonly parallel: number;
	readonly quickMs: number;
	readonly docs: boolean;
	/** How long after the start of one agent the next one starts, in milliseconds at the least; where it is absent, chance alone parts them. */
	readonly staggerMs?: number;
	/** How many parts of a result that failed are checked at a time. */
	readonly checks: number;
	/** How many files one agent may change before it is said. */
	readonly files: number;
	/** How deep agents may hand work on; absent where an older version began the session. */
	readonly depth?: number;
	/** When the plan's checks are run on the work of one agent without being asked for: once it says how its tests went, or at its checkpoints and its end; not at all where it is absent. */
	readonly testsAt?: 'claim' | 'checkpoint';
	/** How much a type checker may read and use; as much as by default where it is absent. */
	readonly types?: TypeLimits;
	/** How long an agent may change its worktree without a checkpoint, in milliseconds; then one is taken. */
	readonly checkpointMs: number;
	/** Folder of the question and answer files; without it there are none. */
	readonly questionsHome?: string;
	/** What the processes of one agent may use where its part of the plan says nothing; without end where it is absent. */
	readonly load?: Load;
	/** How a person is called while no screen is open; not at all where it is absent. */
	readonly notify?: NotifySettings;
	/** How long each new try of a turn waits whose model had trouble, in milliseconds; the last one is followed by none. */
	readonly modelRetriesMs: readonly number[];
	/** Names of the agents of the config whose programs are here, for whoever is to be asked besides those of the plan. */
	readonly profiles?: readonly string[];
	/** Last lines of the commit messages; one that names this program where they are absent. */
	readonly trailers?: readonly string[];
	/** How agents and commands are shut in; as far as this machine can do it where it is absent. */
	readonly sandbox?: SandboxSettings;
};

/** The person's settings of the sandbox. */
export type SandboxSettings = {
	/** `required` starts nothing that can't be shut in; `off` shuts nothing in. */
	readonly mode?: 'required' | 'off';
	/** Where files are protected: which machines can be reached; this machine's network where it is absent. */
	readonly network?: 'off' | {readonly hosts: readonly string[]};
};

/** The life of a session. */
export type SessionEvent =
	| {
			readonly kind: 'session.started';
			readonly session: string;
			readonly repository: {readonly id: string; readonly root: string};
			readonly target: string;
			/** Whether the target was no branch yet: the first merge creates it at `base`. */
			readonly newTarget?: true;
			/** The target's tip, or HEAD for a new target; every agent starts on it. */
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
			/** The sandbox that this machine allowed at the start. */
			readonly sandbox: Sandbox;
			/** Findings of a start after a crash. */
			readonly found?: RestartFinding;
	  }
	| {readonly kind: 'target.moved'; readonly from: string; readonly to: string};

/** The file in which an agent asked something; `PROTOCOL, Questions on disk`. */
export type QuestionFile = {
	/** Its name without the ending, which is the id of what it asks. */
	readonly id: string;
	/** Its name where its agent wrote it, if that was in a folder of the agent's own; where the person looks it may have another one. */
	readonly inner?: string;
	/** Id of the user whom it belongs to. */
	readonly owner: number;
	/** Where the agent keeps what it needs to go on. */
	readonly checkpoint?: string;
	/** The agent's name for its work. */
	readonly workflow?: string;
};

/** Events of questions and answers in files. */
type QuestionEvent =
	| {
			/** The file of a question went before anybody was known to have answered it: its agent needs no answer any more, or has one. */
			readonly kind: 'question.withdrawn';
			readonly agent: string;
			/** The name of the file, without its ending. */
			readonly file: string;
	  }
	| {
			readonly kind: 'answer.rejected';
			/** The question that it was for; the name of the file where there is none. */
			readonly item: string;
			readonly why: string;
			/** Where the file is kept. */
			readonly kept: string;
			/** Id of the user whom the file belongs to; null where even that can't be told. */
			readonly owner: number | null;
	  };
