import type {Budget, Subtask} from '../../events/plan.ts';
import {defined} from '../../lib/values.ts';

/** Share of a limit from which on a person is asked while the agent goes on. */
export const nearShare = 0.8;

/** Token counts that an agent reports for a prompt; each may be absent. */
type ReportedTokens = {
	readonly input?: number;
	readonly output?: number;
	readonly total?: number;
};

/** Returns how many tokens that are in all. */
const tokensReported = ({input = 0, output = 0, total = input + output}: ReportedTokens): number =>
	total;

type Cost = {readonly amount: number; readonly currency: string};

/** Usage report of an agent: for one prompt, or its own running total. */
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

/** Returns what it has spent with one more payment. A cost that it counts on starts over with a new process of it; one of nothing is told by agents that don't know the price. */
export const withPayment = (spent: AgentSpending, payment: Payment): AgentSpending => {
	const tokens = spent.tokens + (payment.kind === 'tokens' ? tokensReported(payment) : 0);
	const {cost} = payment;
	if (cost === undefined || (cost.amount === 0 && spent.cost[cost.currency] === undefined)) {
		return {...spent, tokens};
	}

	const {amount, currency} = cost;
	const counted = payment.kind === 'usage' ? {...spent.counted, [currency]: amount} : spent.counted;
	const before = payment.kind === 'usage' ? (spent.counted[currency] ?? 0) : 0;
	const paid = (spent.cost[currency] ?? 0) + (amount < before ? amount : amount - before);
	return {tokens, cost: {...spent.cost, [currency]: paid}, counted};
};

/** Usage in tokens and US dollars; no money if none is reported. */
export type Spending = {readonly tokens?: number; readonly money?: number};

/** Budgets of one agent. */
type Allowed = {readonly tokenBudget?: number; readonly moneyBudget?: number};

/** Shared budget of all agents, its usage, and the budget that a person has set since. */
type Together = {
	readonly session: {readonly plan: {readonly budget?: Budget}} | null;
	readonly shared?: Spending & {readonly allowed?: number};
};

export type Unit = 'tokens' | 'money';

/** How much of one thing was used, of what may be: by an agent, or by all of them together. */
export type Measure = {
	readonly unit: Unit;
	readonly shared: boolean;
	readonly used: number;
	readonly allowed: number;
};

/** Returns what a budget allows of what; nothing where there is none. */
export const readBudget = (
	budget: Budget | undefined,
): {readonly unit: Unit; readonly amount: number} | undefined =>
	budget === undefined
		? undefined
		: typeof budget === 'number'
			? {unit: 'tokens', amount: budget}
			: {unit: 'money', amount: Number(budget.slice(1))};

/** Returns what an agent may use by its part of the plan, which is also how much it is given when a person gives it more. */
export const budgetsOf = ({tokens, budget}: Pick<Subtask, 'tokens' | 'budget'>): Allowed => {
	const own = readBudget(budget);
	return defined({
		tokenBudget: own?.unit === 'tokens' ? Math.min(own.amount, tokens ?? own.amount) : tokens,
		moneyBudget: own?.unit === 'money' ? own.amount : undefined,
	});
};

/** Returns what holds an agent as far as it spends, the measure that is fullest first. */
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

/** Returns how far an agent is with what it may use. */
export const budgetStep = ([measure]: readonly Pick<Measure, 'used' | 'allowed'>[]):
	| 'within'
	| 'near'
	| 'over' => {
	if (measure === undefined || measure.used < nearShare * measure.allowed) {
		return 'within';
	}

	return measure.used < measure.allowed ? 'near' : 'over';
};

/** Returns what may be used once a person gives as much again, as often as it takes to be past what is used up by now. */
export const raised = ({used, allowed}: Pick<Measure, 'used' | 'allowed'>, step: number): number =>
	Math.ceil((Math.max(used, allowed) + step) / step) * step;

/** Returns whether an agent whose money is counted tells of its tokens and of no money. */
export const tellsNoMoney = (state: Together, agent: Spending & Allowed): boolean =>
	agent.tokens !== undefined &&
	agent.money === undefined &&
	measuresOf(state, agent).some(({unit}) => unit === 'money');
