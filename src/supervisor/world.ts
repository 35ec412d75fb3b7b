import type {AgentTurn} from '../agents/turn.ts';
import type {Oracles} from '../conflicts/oracle/open-oracles.ts';
import type {Body, Event} from '../events/event.ts';
import type {Environments, Plan} from '../events/plan.ts';
import type {Repository} from '../git/repository/repository.ts';
import {refsBelow, type Store} from '../git/store/store.ts';
import {Failure} from '../lib/failure.ts';
import type {Containment} from '../lib/process/containment.ts';
import type {Freezer} from '../lib/process/freezer.ts';
import type {Agent, Snapshot} from '../state/agent/agent.ts';
import {agentOf} from '../state/select.ts';
import type {Session, State} from '../state/state.ts';
import type {Budgets, Checks, Starts} from './budgets.ts';
import type {Conversations} from './conversations.ts';
import type {RepositoryFolder, SessionFolder} from './folder.ts';
import type {AgentLimits} from './machine/agent-limits.ts';
import type {CheckoutWatch} from './machine/checkout.ts';
import type {Gates} from './machine/gates.ts';
import type {Slots} from './machine/slots.ts';
import type {Notices} from './notices.ts';
import type {Telemetry} from './telemetry.ts';
import type {Tools} from './tools.ts';

/** A turn that runs in this process, until its end is written. */
export type LiveTurn = AgentTurn & {
	readonly over: Promise<void>;
	/** Reports the forbidden actions that its agent has tried so far, and writes to the person's checkout. */
	readonly tellTried: () => Promise<void>;
};

/** Everything that effects use and change. */
export type World = {
	readonly repository: Repository;
	readonly store: Store;
	readonly session: string;
	readonly folder: SessionFolder;
	/** Containment of the processes of agents and commands on this machine. */
	readonly containment: Containment;
	readonly freezer: Freezer;
	/** Environments of agents, which are stored before the event that needs them. */
	readonly environments: KeptEnvironments;
	/** Returns the current state; an effect also gets the state that owes it. */
	readonly state: () => State;
	readonly turns: Map<string, LiveTurn>;
	/** Processes of agents that live on between turns. */
	readonly conversations: Conversations;
	/** Tools of agents, and their calls that wait for a person. */
	readonly tools: Tools;
	/** Gates through which processes without network reach the hosts that a person named; absent if no process is started. */
	readonly gates?: Gates;
	/** Resource limits of agents; absent if no process is started. */
	readonly limits?: AgentLimits;
	readonly notices: Notices;
	/** Watch for writes to the person's checkout while agents work. */
	readonly checkout: CheckoutWatch;
	readonly checks: Checks;
	/** Files of questions and answers. */
	readonly questions: Pick<Questions, 'look'>;
	readonly starts: Starts;
	readonly slots: Slots;
	readonly telemetry: Telemetry;
	readonly budgets: Budgets;
	/** Type checkers that look for breakages between agents. */
	readonly oracles: Oracles;
	/** Appends events that come from no effect; resolves when they are written. */
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Appends an event without waiting for the write. */
	readonly report: (body: Body) => void;
	readonly now: () => string;
	/** Runs one task at a time per worktree, and one for the person's target. */
	readonly serially: <T>(lane: string, work: () => Promise<T>) => Promise<T>;
	/** Returns the next number of an agent's snapshots, higher than every pinned one. */
	readonly nextSnapshot: (agent: string) => Promise<number>;
};

/** Part of the world that holds agents' work, for readers; a recording has no type checkers. */
export type Works = Pick<World, 'store'> &
	Partial<Pick<World, 'oracles'>> & {
		/** Folder with the journal of the session, while the session is active. */
		readonly folder?: Pick<SessionFolder, 'journal'>;
	};

/** Returns the environment variable that marks all processes of a session. */
export const sessionMark = (session: string): string => `DELEGATE_SESSION=${session}`;

/** Returns the ref that pins a snapshot; its number makes it unique. */
export const snapshotRef = (session: string, agent: string, number: number): string =>
	`refs/delegate/${session}/${agent}/${number}`;

/** Returns a function that runs tasks with the same key one after the other. */
export const serially = (): World['serially'] => {
	const last = new Map<string, Promise<unknown>>();
	return (key, work) => {
		const next = (last.get(key) ?? Promise.resolve()).then(work, work);
		last.set(key, next);
		return next;
	};
};

/**
Returns the counter of an agent's snapshots.

It starts above the highest pinned number, not above the highest in the journal: a crash may have kept a snapshot out of the journal, and the next one must not get its number.
*/
export const snapshotCounter = (store: Store, session: string): World['nextSnapshot'] => {
	const numbers = new Map<string, number>();
	return async agent => {
		const last = numbers.get(agent) ?? (await lastPinned(store, session, agent));
		numbers.set(agent, last + 1);
		return last + 1;
	};
};

const lastPinned = async (store: Store, session: string, agent: string): Promise<number> => {
	const refs = await refsBelow(store, `refs/delegate/${session}/${agent}`);
	const numbers = [...refs.keys()].map(ref => Number(ref.split('/').at(-1)));
	return Math.max(0, ...numbers.filter(Number.isInteger));
};

/**
Returns an agent of the session.

@throws `Failure` of kind `refused` when no agent has that id
*/
export const requireAgent = (state: State, id: string): Agent => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		throw new Failure('refused', `There is no agent ${id}.`);
	}

	return agent;
};

/** Returns a snapshot of an agent by its number; throws likewise. */
export const requireSnapshot = ({id, snapshots}: Agent, number: number): Snapshot => {
	const snapshot = snapshots.find(one => one.number === number);
	if (snapshot === undefined) {
		throw new Failure('refused', `${id} has no snapshot ${number}.`, {
			hint: 'delegate-tui log shows the snapshots',
		});
	}

	return snapshot;
};

/** Returns the session; throws if there is none. All effects belong to one. */
export const requireSession = ({session}: State): Session => {
	if (!session) {
		throw new Failure('internal', 'There is no session.');
	}

	return session;
};

/** Records the current step in the making of an agent's worktree, in words. */
export const tellPreparing = (
	{telemetry}: Pick<World, 'telemetry'>,
	{id, turn: {number: turn}}: Agent,
	text: string,
): void => telemetry.write({kind: 'preparing', text, turn, agent: id});

/** Dependencies of all sessions of a repository. */
export type StartParts = {
	readonly folder: RepositoryFolder;
	readonly repository: Repository;
	readonly store: Store;
	readonly version: string;
	/** Command that starts this program. */
	readonly program: readonly string[];
	readonly containment: Containment;
	readonly log: (message: string) => void;
	/** Throws if this process no longer holds the repository's lock. */
	readonly requireLock: () => void;
};

/** Environments from agents' profiles: needed again after a restart, but stored in no event. */
export type KeptEnvironments = {
	/** Returns the environment from an agent's profile, according to the current plan. */
	readonly get: (agent: string) => Readonly<Record<string, string>>;
	/** Stores the new environment of one agent of the current plan; resolves when it is on the disk. */
	readonly keepOf: (agent: string, environment: Readonly<Record<string, string>>) => Promise<void>;
	/** Stores the environments of a plan; resolves when they are on the disk. */
	readonly keep: (plan: Plan, environments: Environments) => Promise<void>;
};

/** Files of a session's questions and answers. */
export type Questions = {
	/** Handles written events; the files follow later. */
	readonly add: (events: readonly Event[]) => void;
	/** Resolves when all files in the folders have been read and the files show the current state. */
	readonly look: () => Promise<void>;
	/** Resolves when the files show all events that were added; stops reading files. */
	readonly close: () => Promise<void>;
};
