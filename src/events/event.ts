import type {AgentOrder} from './agent-order.ts';
import type {Asker} from './asker.ts';
import type {AgentEvent} from './kinds/agent-event.ts';
import type {MachineEvent} from './kinds/machine-event.ts';
import type {MergeEvent, TreeEntry} from './kinds/merge-event.ts';
import type {QuestionEvent} from './kinds/question-event.ts';
import type {SessionEvent} from './kinds/session-event.ts';
import type {Plan, Subtask} from './plan.ts';

export type {Asker} from './asker.ts';
export type {
	AgentEvent,
	AgentState,
	Claim,
	MissedPath,
	PromptKind,
	Silence,
	TurnEnd,
	WrongClaim,
} from './kinds/agent-event.ts';
export type {FailureLocation, LogFile, TreeEntry} from './kinds/merge-event.ts';
export type {QuestionFile} from './kinds/question-event.ts';
export type {SessionEvent, Settings} from './kinds/session-event.ts';

/** Who took a decision: a person, the scripted person of the demo, the plan's supervision level, whoever wrote an answer file, or whoever has the link to the page of `delegate-tui web`. */
export type DecidedBy = 'user' | 'demo' | 'policy' | 'file' | 'web';

/** What people decide, and what they have one agent do. */
export type PersonEvent = DecidedEvent | SteeredEvent;

type SteeredEvent = {
	readonly kind: 'user.steered';
	readonly agent: string;
	readonly order: AgentOrder;
	/** Who asked for it; absent where the system doesn't tell. */
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
	/** Who asked for it; absent where nobody did, or the system doesn't tell. */
	readonly asker?: Asker;
	/** Paths of a resolution made by hand, as they were when the person said it is done. */
	readonly files?: readonly TakenFile[];
	/** The plan that an edit replaces, or the subtask that is added. */
	readonly plan?: Plan;
	/** What is to be known of that plan before it is approved; with any, the edit approves nothing. */
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

/** What happened, before the journal gives it a number and a time. */
export type Body =
	| SessionEvent
	| AgentEvent
	| PersonEvent
	| QuestionEvent
	| MergeEvent
	| MachineEvent;

/** Something that happened: never changed, numbered without gaps within a session. */
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
