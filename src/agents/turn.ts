import type {TurnEnd} from '../events/event.ts';
import type {Permit, Reply} from '../events/reply.ts';
import type {Survivor} from '../lib/process/kill-stragglers.ts';
import type {ProcessIdentity} from '../lib/process/processes.ts';

/** How a turn came to its end. */
export type TurnOutcome = {
	readonly end: TurnEnd;
	/** The last line it wrote on stderr. */
	readonly lastError?: string;
	/** The last line it said, when it said nothing in the turn of how its work stands. */
	readonly lastWords?: string;
	/** Processes of the agent that could not be ended. */
	readonly survivors: readonly Survivor[];
};

/** An agent at work in one turn, whatever the way of talking to it. */
export type AgentTurn = ProcessIdentity & {
	/** Settles when nothing more comes of the turn and every signal was handed on. */
	readonly ended: Promise<TurnOutcome>;
	/** Hands replies to an agent that takes them in its turn. */
	readonly reply: (replies: readonly Reply[]) => void;
	/** Ends the passage that the agent is at, since it was told something beside its prompt: what it says next begins a line. */
	readonly told: () => void;
	/** Hands decisions to an agent that asked before it acted. */
	readonly permit: (permits: readonly Permit[]) => void;
	/** Ends it from outside; the process of an agent that can go on in it lives on, if it stops when it is asked to. */
	readonly interrupt: () => Promise<void>;
	/** Ends it from outside, its process included. */
	readonly stop: () => Promise<void>;
};
