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
import {telemetryEntries} from './telemetry.ts';

export type Budgets = {
	/** Takes what an agent tells of itself. */
	readonly hear: (agent: string, turn: number, detail: Detail) => void;
};

/**
Counts the tokens and the money that agents use up, and reports it when one comes near what its plan allows it, or all of them, or past that.

Each count is in the telemetry and only what changes something enters the journal; so a supervisor begins with what the telemetry holds.
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

/** Returns the usage; no money if only tokens, or no valid amount, were reported. */
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

/** Repeats the event while the agent is over its budget, until it reports where it stands or a person is asked. */
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

/** Where starts of agents wait for their turn. */
export type Starts = {
	/**
	Settles when a start may be made, in the order in which it was asked for.

	`staggerMs` is what a person wants to lie between two of them at the least; with 0 none of them waits.
	*/
	readonly turn: (staggerMs?: number) => Promise<void>;
	/** Runs the setup of a worktree: alone until one has succeeded, and any number at once from then on. */
	readonly setUp: <Result>(work: () => Promise<Result>) => Promise<Result>;
	/**
	Settles when a start with a login may be made: one after the other while that is about to be renewed.

	@returns what is to be called once its model has answered, since the login is renewed by then or never will be, or once it has ended
	*/
	readonly withLogin: (login: RenewableLogin | undefined) => Promise<LeaveLogin>;
	/** Lets no more starts be made. */
	readonly close: () => void;
};

/** A login that agents renew where the person has it. */
export type RenewableLogin = {
	readonly file: string;
	/** Returns the ends, in milliseconds, for which the next one that starts may renew it. */
	readonly endings: () => Promise<readonly number[]>;
};

/** Lets the next start have a login. */
export type LeaveLogin = (hasAnswered: boolean) => void;

export type StartsParts = {
	/** Returns the time in milliseconds. */
	readonly now: () => number;
	/** Returns a number from 0 up to 1. */
	readonly random: () => number;
	readonly pause: (durationMs: number) => Promise<void>;
};

/** The clock and the chance of this machine. */
const real: StartsParts = {
	now: () => performance.now(),
	random: Math.random,
	pause: durationMs => setTimeout(durationMs, undefined, {ref: false}),
};

/** How long the first start waits for the machine to settle, in milliseconds. */
const settlingMs = 500;

/** How often a start looks whether a login is renewed, and how long it waits for another start at most, in milliseconds. */
const [lookMs, renewingMs] = [250, 120_000];

/** Bounds of the random delay before each start, in milliseconds. */
const shortestMs = 50;
const longestMs = 550;

/**
Creates the queue of the starts.

Agents that all start at once would meet the limits of their models at once, and race each other for the files that their programs share; by chance they drift apart. One that starts long after the others has nobody to drift apart from, and waits for nothing.

A renewed login takes the place of the one that was spent for it, so a second agent that spends the same one is refused, and the vendor may log the person out.

Setups that begin at once each download all that they install. After the first one the others find it in the caches of their tools.
*/
export const createStarts = ({now, random, pause}: StartsParts = real): Starts => {
	let lastAt: number | undefined;
	let closed = false;
	let isWarm = false;
	const renewing = new Map<string, {readonly until: number}>();
	/** Ends of logins, by their files, with which a model has answered. */
	const unrenewed = new Map<string, readonly number[]>();
	let last: Promise<unknown> = Promise.resolve();
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
		setUp: async work => {
			const before = last;
			const ended = Promise.withResolvers<void>();
			last = ended.promise;
			try {
				await before;
				requireOpen();
				if (isWarm) {
					ended.resolve();
				}

				const result = await work();
				isWarm = true;
				return result;
			} finally {
				ended.resolve();
			}
		},
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

/** Checks that run, of results and of one agent's work, and commands that people have run for agents. */
export type Checks = {
	/**
	Runs a check or a command in a folder, until it ends or nobody wants to know any more.

	@returns `undefined` where nobody does; then nothing of it runs any more.
	*/
	readonly run: <Result>(
		key: EffectKey,
		folder: string,
		work: (signal: AbortSignal) => Promise<Result>,
	) => Promise<Result | undefined>;
	/** Ends those that the state owes no more: a person has decided meanwhile, or what was checked is old. */
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
