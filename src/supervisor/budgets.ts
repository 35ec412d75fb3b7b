import {setTimeout} from 'node:timers/promises';
import {z} from 'zod';
import type {Detail} from '../agents/acp/speech/activity.ts';
import type {EffectKey} from '../events/effect-key.ts';
import type {Body} from '../events/event.ts';
import {Failure} from '../lib/failure.ts';
import {defined, isSame} from '../lib/values.ts';
import {commandEffects} from '../rules/effects/effect.ts';
import {checkEffects, mergeEffects} from '../rules/effects/merging.ts';
import type {Agent} from '../state/agent/agent.ts';
import {
	type AgentSpending,
	budgetStep,
	measuresOf,
	nothingSpent,
	type Spending,
	tellsNoMoney,
	withPayment,
} from '../state/agent/spending.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {createSetupQueue, type SetupParts} from './setup-queue.ts';
import {telemetryEntries} from './telemetry.ts';

export type Budgets = {
	/** Handles a detail that an agent reported. */
	readonly hear: (agent: string, turn: number, detail: Detail) => void;
};

/**
Counts the tokens and the money that agents use, and reports when an agent's use, or the use of all agents, approaches, reaches or exceeds the plan's budget.

The telemetry holds each count, and the journal only the counts that change something; so a new supervisor starts from the telemetry.
*/
export const keepBudgets = async (
	telemetry: string,
	{state, report}: {readonly state: () => State; readonly report: (body: Body) => void},
): Promise<Budgets> => {
	const counts = await countsIn(telemetry);
	return {
		hear: (id, turn, detail) => {
			if (detail.kind !== 'tokens' && detail.kind !== 'usage') {
				return;
			}

			const spent = withPayment(counts.get(id) ?? nothingSpent, detail);
			counts.set(id, spent);
			const now = state();
			const agent = agentOf(now, id);
			const used = spendingOf([spent]);
			const all =
				now.session?.plan.budget === undefined ? undefined : spendingOf([...counts.values()]);
			if (agent !== undefined && isNews(now, agent, {used, ...defined({all})})) {
				report({kind: 'tokens.counted', agent: id, turn, ...used, ...defined({all})});
			}
		},
	};
};

/** Returns the usage, without money if agents reported only tokens or no valid amount. */
const spendingOf = (
	all: readonly AgentSpending[],
): {readonly tokens: number; readonly money?: number} => {
	const sum = (amount: (spent: AgentSpending) => number): number =>
		all.reduce((total, spent) => total + amount(spent), 0);
	return {
		tokens: sum(({tokens}) => tokens),
		...defined({money: sum(({cost}) => cost.USD ?? 0) || undefined}),
	};
};

/** Returns whether a count goes into the journal. While an agent is over its budget, each count does, until the agent reports its status or the supervisor asks a person. */
const isNews = (
	state: State,
	agent: Agent,
	{used, all}: {readonly used: Spending; readonly all?: Spending},
): boolean => {
	const after = all === undefined ? state : {...state, shared: {...state.shared, ...all}};
	const measures = measuresOf(after, {...agent, ...used});
	const step = budgetStep(measures);
	const isAsked = state.items.some(
		item => item.kind === 'limit' && item.of === measures[0]?.unit && item.agent === agent.id,
	);
	const isOpen = !isAsked && agent.outcome === undefined && agent.closing === undefined;
	return (
		step !== budgetStep(measuresOf(state, agent)) ||
		(step === 'over' && isOpen) ||
		tellsNoMoney(state, {...agent, ...used}) !== tellsNoMoney(state, agent)
	);
};

const some = z.number().exactOptional();
const cost = z.object({amount: z.number(), currency: z.string()}).exactOptional();
const lineSchema = z.discriminatedUnion('kind', [
	z.object({
		agent: z.string(),
		kind: z.literal('tokens'),
		input: some,
		output: some,
		total: some,
		cost,
	}),
	z.object({agent: z.string(), kind: z.literal('usage'), cost}),
]);

const countsIn = async (telemetry: string): Promise<Map<string, AgentSpending>> => {
	const counts = new Map<string, AgentSpending>();
	for await (const told of telemetryEntries(telemetry, ['tokens', 'usage'], lineSchema)) {
		counts.set(told.agent, withPayment(counts.get(told.agent) ?? nothingSpent, told));
	}

	return counts;
};

export type Starts = {
	/**
	Resolves when the next agent may start, in the order of the calls.

	`staggerMs` is the minimum time between two starts that the person set; with 0 no start waits.
	*/
	readonly turn: (staggerMs?: number) => Promise<void>;
	/** Runs the setup of a worktree in its turn. */
	readonly setUp: (parts: SetupParts) => Promise<void>;
	/**
	Resolves when an agent with a login may start. While the login is about to be renewed, agents start one after the other.

	@returns a function to call once the agent's model has answered (then the login was renewed, or needs no renewal), or once the agent has ended
	*/
	readonly withLogin: (login: RenewableLogin | undefined) => Promise<LeaveLogin>;
	/** Rejects all further starts. */
	readonly close: () => void;
};

/** A login that agents renew in the person's own file. */
export type RenewableLogin = {
	readonly file: string;
	/** Returns the expiry times, in milliseconds, for which the next agent that starts may renew the login. */
	readonly endings: () => Promise<readonly number[]>;
};

/** Lets the next agent with the same login start. */
export type LeaveLogin = (hasAnswered: boolean) => void;

export type StartsParts = {
	/** Returns the current time in milliseconds. */
	readonly now: () => number;
	/** Returns a random number in [0, 1). */
	readonly random: () => number;
	readonly pause: (durationMs: number) => Promise<void>;
};

/** The clock and the random numbers of this machine. */
const real: StartsParts = {
	now: () => performance.now(),
	random: Math.random,
	pause: durationMs => setTimeout(durationMs, undefined, {ref: false}),
};

/** Delay of the first start, in milliseconds: the machine settles meanwhile. */
const settlingMs = 500;

/** Interval at which a start checks whether a login was renewed, and its longest wait for another start, in milliseconds. */
const [lookMs, renewingMs] = [250, 120_000];

/** Bounds of the random delay before each start, in milliseconds. */
const shortestMs = 50;
const longestMs = 550;

/**
Creates the queue of agent starts.

Agents that start at the same time would hit the rate limits of their models together, and compete for files that their programs share; random delays spread them. An agent that starts long after the others doesn't wait.

A renewed login invalidates the one that was used to renew it, so a second agent that uses the same one is refused, and the vendor may log the person out.
*/
export const createStarts = ({now, random, pause}: StartsParts = real): Starts => {
	let lastAt: number | undefined;
	let closed = false;
	const renewing = new Map<string, {readonly until: number}>();
	/** Expiry times of logins with which a model has answered, by file. */
	const unrenewed = new Map<string, readonly number[]>();
	const requireOpen = (): void => {
		if (closed) {
			throw new Failure('refused', 'The supervisor is stopping.');
		}
	};
	return {
		turn: async staggerMs => {
			const at = staggerMs === 0 ? now() : nextAt(staggerMs);
			lastAt = Math.max(at, lastAt ?? at);
			const waitMs = at - now();
			if (waitMs > 0) {
				await pause(waitMs);
			}

			requireOpen();
		},
		setUp: createSetupQueue(requireOpen),
		withLogin: async login => {
			while (login !== undefined) {
				const {file} = login;
				const all = await login.endings();
				if (all.every(end => unrenewed.get(file)?.includes(end))) {
					break;
				}

				requireOpen();
				const other = renewing.get(file);
				if (other === undefined || other.until <= now()) {
					const own = {until: now() + renewingMs};
					renewing.set(file, own);
					return hasAnswered => {
						if (hasAnswered) {
							unrenewed.set(file, all);
						}

						if (renewing.get(file) === own) {
							renewing.delete(file);
						}
					};
				}

				await pause(lookMs);
			}

			return () => {};
		},
		close: () => {
			closed = true;
		},
	};

	function nextAt(staggerMs = 0): number {
		const chanceMs = shortestMs + random() * (longestMs - shortestMs);
		return lastAt === undefined
			? now() + settlingMs + chanceMs
			: Math.max(now(), lastAt + staggerMs + chanceMs);
	}
};

/** Running checks of results and of single agents' work, and commands that people run for agents. */
export type Checks = {
	/**
	Runs a check or a command in a folder, until it ends or its result is no longer needed.

	@returns `undefined` if the result is no longer needed; no process of it runs then.
	*/
	readonly run: <Result>(
		key: EffectKey,
		folder: string,
		work: (signal: AbortSignal) => Promise<Result>,
	) => Promise<Result | undefined>;
	/** Aborts the checks that the state no longer owes: a person has decided meanwhile, or the checked commit is outdated. */
	readonly letGo: (state: State) => void;
	/** Returns whether a check runs in a folder. */
	readonly isBusy: (folder: string) => boolean;
};

type Running = {
	readonly key: EffectKey;
	readonly folder: string;
	readonly abort: AbortController;
};

export const createChecks = (): Checks => {
	const running = new Set<Running>();
	let isWanted = (_: EffectKey): boolean => true;
	return {
		run: async (key, folder, work) => {
			if (!isWanted(key)) {
				return undefined;
			}

			const check: Running = {key, folder, abort: new AbortController()};
			running.add(check);
			const {signal} = check.abort;
			try {
				return await work(signal);
			} catch (error) {
				if (signal.aborted) {
					return undefined;
				}

				throw error;
			} finally {
				running.delete(check);
			}
		},
		letGo: state => {
			const wanted =
				state.session?.ended === undefined
					? [...mergeEffects(state), ...checkEffects(state), ...commandEffects(state)]
					: [];
			isWanted = key => wanted.some(effect => isSame(effect.key, key));
			for (const {key, abort} of running) {
				if (!isWanted(key)) {
					abort.abort();
				}
			}
		},
		isBusy: folder => [...running].some(check => check.folder === folder),
	};
};
