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
	/** Reports what its agent has tried by now and no agent may do, and what was written in the person's checkout. */
	readonly tellTried: () => Promise<void>;
};

/** Everything that effects act on. */
export type World = {
	readonly repository: Repository;
	readonly store: Store;
	readonly session: string;
	readonly folder: SessionFolder;
	/** Containment of the processes of agents and commands on this machine. */
	readonly containment: Containment;
	/** Freezer of all processes of the session. */
	readonly freezer: Freezer;
	/** Environments, which are stored before the event that needs them. */
	readonly environments: KeptEnvironments;
	/** The current state; an effect also gets the state that owes it. */
	readonly state: () => State;
	readonly turns: Map<string, LiveTurn>;
	/** Processes of agents that live on between turns. */
	readonly conversations: Conversations;
	/** Tools of agents, and their calls that wait for a person. */
	readonly tools: Tools;
	/** By which those who have no network reach the hosts that a person named; absent where nothing is started. */
	readonly gates?: Gates;
	/** Limits of what agents use of the machine; absent where nothing is started. */
	readonly limits?: AgentLimits;
	readonly notices: Notices;
	/** Files of the person's checkout that are written while agents are at work. */
	readonly checkout: CheckoutWatch;
	/** Checks of results that run. */
	readonly checks: Checks;
	/** Files of questions and answers. */
	readonly questions: Pick<Questions, 'look'>;
	/** Where starts of agents wait for their turn. */
	readonly starts: Starts;
	readonly slots: Slots;
	readonly telemetry: Telemetry;
	readonly budgets: Budgets;
	/** Type checkers that are asked what breaks together. */
	readonly oracles: Oracles;
	/** Appends what happened beside the effects to the journal; resolves when it is written. */
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Writes what happened, with nobody to wait for it. */
	readonly report: (body: Body) => void;
	readonly now: () => string;
	/** Runs one thing at a time per worktree, and one with the person's target. */
	readonly serially: <T>(lane: string, work: () => Promise<T>) => Promise<T>;
	/** Returns the next number of an agent's snapshots, above every one that is pinned. */
	readonly nextSnapshot: (agent: string) => Promise<number>;
};

/** The part of it that holds agents' work, for what only looks at that; a recording has nobody to ask about it. */
export type Works = Pick<World, 'store'> &
	Partial<Pick<World, 'oracles'>> & {
		/** Where the events of the session are, while it is under way. */
		readonly folder?: Pick<SessionFolder, 'journal'>;
	};

/** Environment entry by which every process of a session is known. */
export const sessionMark = (session: string): string => `DELEGATE_SESSION=${session}`;

/** Ref that pins a snapshot; its number makes it new each time. */
export const snapshotRef = (session: string, agent: string, number: number): string =>
	`refs/delegate/${session}/${agent}/${number}`;

/** Returns a function that runs works with the same key one after the other. */
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

It starts above what is pinned, not above what the journal knows: a snapshot that a crash kept from being told must not be taken for a later one.
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

@throws `Failure` of kind `refused` when there is none of that id
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

/** Returns the session that every effect is part of. */
export const requireSession = ({session}: State): Session => {
	if (!session) {
		throw new Failure('internal', 'There is no session.');
	}

	return session;
};

/** Dependencies of every session of a repository. */
export type StartParts = {
	readonly folder: RepositoryFolder;
	readonly repository: Repository;
	readonly store: Store;
	readonly version: string;
	/** The command that starts this program. */
	readonly program: readonly string[];
	readonly containment: Containment;
	readonly log: (message: string) => void;
	/** Throws once this process may not be the one supervisor of the repository any more. */
	readonly requireLock: () => void;
};

/** Environments from agents' profiles: needed again after a restart, but stored in no event. */
export type KeptEnvironments = {
	/** Returns what an agent's profile sets, in the plan that is believed. */
	readonly get: (agent: string) => Readonly<Record<string, string>>;
	/** Keeps what one agent of the believed plan has from now on; settles when it is on the disk. */
	readonly keepOf: (agent: string, environment: Readonly<Record<string, string>>) => Promise<void>;
	/** Keeps what belongs to a plan; settles when it is on the disk. */
	readonly keep: (plan: Plan, environments: Environments) => Promise<void>;
};

/** The files of a session's questions and answers. */
export type Questions = {
	/** Takes up events that were written; the files follow. */
	readonly add: (events: readonly Event[]) => void;
	/** Settles when all that lies in the folders now was looked at, and the files show what is known. */
	readonly look: () => Promise<void>;
	/** Settles when the files show all that was added; nothing is looked at any more. */
	readonly close: () => Promise<void>;
};
