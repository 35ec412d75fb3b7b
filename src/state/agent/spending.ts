import type {Budget, Subtask} from '../../events/plan.ts';
import {defined} from '../../lib/values.ts';

/** Share of a limit from which a person is asked while the agent continues. */
export const nearShare = 0.8;

/** Token counts that an agent reports for a prompt; each may be absent. */
type ReportedTokens = {
	readonly input?: number;
	readonly output?: number;
	readonly total?: number;
};

const tokensReported = ({input = 0, output = 0, total = input + output}: ReportedTokens): number =>
	total;

type Cost = {readonly amount: number; readonly currency: string};

/** Usage report of an agent: for one prompt, or its running total. */
export type Payment =
	| (ReportedTokens & {readonly kind: 'tokens'; readonly cost?: Cost})
	| {readonly kind: 'usage'; readonly cost?: Cost};

/** Total usage of an agent; money, and its last self-counted cost, by currency. */
export type AgentSpending = {
	readonly tokens: number;
	readonly cost: Readonly<Record<string, number>>;
	readonly counted: Readonly<Record<string, number>>;
};

export const nothingSpent: AgentSpending = {tokens: 0, cost: {}, counted: {}};

/** Adds a payment to an agent's usage. A running total restarts with a new process; a cost of 0 comes from agents that don't know the price. */
export const withPayment = (spent: AgentSpending, payment: Payment): AgentSpending => {
	const tokens = spent.tokens + (payment.kind === 'tokens' ? tokensReported(payment) : 0);
	const cost = payment.cost && isAmount(payment.cost) ? payment.cost : undefined;
	if (cost === undefined || (cost.amount === 0 && spent.cost[cost.currency] === undefined)) {
		return {...spent, tokens};
	}

	const {amount, currency} = cost;
	const counted = payment.kind === 'usage' ? {...spent.counted, [currency]: amount} : spent.counted;
	const before = payment.kind === 'usage' ? (spent.counted[currency] ?? 0) : 0;
	const paid = (spent.cost[currency] ?? 0) + (amount < before ? amount : amount - before);
	return {tokens, cost: {...spent.cost, [currency]: paid}, counted};
};

const isAmount = ({amount}: Cost): boolean => amount >= 0 && amount <= Number.MAX_SAFE_INTEGER;

/** Usage in tokens and US dollars; no money if none is reported. */
export type Spending = {readonly tokens?: number; readonly money?: number};

type Allowed = {readonly tokenBudget?: number; readonly moneyBudget?: number};

/** Shared budget of all agents, its usage, and the budget that a person has set since. */
type Together = {
	readonly session: {readonly plan: {readonly budget?: Budget}} | null;
	readonly shared?: Spending & {readonly allowed?: number};
};

export type Unit = 'tokens' | 'money';

/** Usage of one resource and its limit, of an agent or of all agents together. */
export type Measure = {
	readonly unit: Unit;
	readonly shared: boolean;
	readonly used: number;
	readonly allowed: number;
};

export const readBudget = (
	budget: Budget | undefined,
): {readonly unit: Unit; readonly amount: number} | undefined =>
	budget === undefined
		? undefined
		: typeof budget === 'number'
			? {unit: 'tokens', amount: budget}
			: {unit: 'money', amount: Number(budget.slice(1))};

/** Returns an agent's budget by its subtask, which is also the amount of each extension. */
export const budgetsOf = ({tokens, budget}: Pick<Subtask, 'tokens' | 'budget'>): Allowed => {
	const own = readBudget(budget);
	return defined({
		tokenBudget: own?.unit === 'tokens' ? Math.min(own.amount, tokens ?? own.amount) : tokens,
		moneyBudget: own?.unit === 'money' ? own.amount : undefined,
	});
};

/** Returns the limits on an agent's usage, the one that is used up most first. */
export const measuresOf = (
	{session, shared = {}}: Together,
	{tokens = 0, money = 0, tokenBudget, moneyBudget}: Spending & Allowed,
): readonly Measure[] => {
	const {unit = 'tokens', amount} = readBudget(session?.plan.budget) ?? {};
	const measures = [
		{unit: 'tokens' as const, shared: false, used: tokens, allowed: tokenBudget},
		{unit: 'money' as const, shared: false, used: money, allowed: moneyBudget},
		{unit, shared: true, used: shared[unit] ?? 0, allowed: amount && (shared.allowed ?? amount)},
	];
	return measures
		.flatMap(({allowed, ...measure}) => (allowed === undefined ? [] : [{...measure, allowed}]))
		.toSorted((one, other) => other.used / other.allowed - one.used / one.allowed);
};

/** Returns whether an agent's usage is within its limit, near it or over it. */
export const budgetStep = ([measure]: readonly Pick<Measure, 'used' | 'allowed'>[]):
	| 'within'
	| 'near'
	| 'over' => {
	if (measure === undefined || measure.used < nearShare * measure.allowed) {
		return 'within';
	}

	return measure.used < measure.allowed ? 'near' : 'over';
};

/** Returns a limit after enough extensions to exceed the current usage. */
export const raised = ({used, allowed}: Pick<Measure, 'used' | 'allowed'>, step: number): number =>
	Math.ceil((Math.max(used, allowed) + step) / step) * step;

/** Returns whether an agent with a money limit reports tokens but no cost. */
export const tellsNoMoney = (state: Together, agent: Spending & Allowed): boolean =>
	agent.tokens !== undefined &&
	agent.money === undefined &&
	measuresOf(state, agent).some(({unit}) => unit === 'money');
