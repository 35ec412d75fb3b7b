import type {LoadKind} from '../../events/load.ts';
import {defined} from '../../lib/values.ts';
import type {Checkpoint} from '../../signals/index.ts';
import {type Agent, lastSnapshot, outcomeByPerson} from '../agent/agent.ts';
import {mostFiles, mostTurnsInVain} from '../agent/allowance.ts';
import {allowedLoad, isOfLoad, loadKindOf, plannedLoad} from '../agent/load.ts';
import {
	budgetsOf,
	type Measure,
	measuresOf,
	raised,
	readBudget,
	type Unit,
} from '../agent/spending.ts';
import type {ItemOf, LimitItem} from '../item.ts';
import {replied} from '../reply.ts';
import {agentOf, isLive, startStep} from '../select.ts';
import {type State, withAgent, withoutItems} from '../state.ts';
import {type Given, itemKind} from './kind.ts';
import {aborting} from './offers.ts';

export type LimitDetail = Pick<LimitItem, 'of' | 'shared'> & {
	/** Used tokens, US dollars, turns, files, or machine resources, of the agent or of all if shared; null for a time limit. */
	readonly used: number | null;
	/** Limit in tokens, dollars, turns, files, bytes, processes or milliseconds. */
	readonly allowed: number | null;
	/** Changes in its last report of its state. */
	readonly changes?: Checkpoint['changes'];
	readonly progress?: number | null;
};

export type LimitChoice = {readonly verb: 'extend' | 'complete' | 'abort'};

export const limit = itemKind<'limit', LimitChoice, LimitDetail>({
	choices: {
		extend: {
			offer: (_, item) => ({label: limits[item.of].extend, ...noteFor(item)}),
			decided: (state, item, given) => extended(state, item, given),
		},
		complete: {
			offer: (_, {of}) => (of === 'start' ? undefined : {label: 'Take its work as finished'}),
			decided: (state, item) =>
				withAgent(state, item.agent, agent => ({
					...agent,
					outcome: outcomeByPerson('completed by a person at its limit'),
				})),
		},
		abort: aborting,
	},
	holdsUp: item => !isNear(item),
	called: 'a limit',
	title: (state, {agent: id, of, shared}) => {
		const agent = agentOf(state, id);
		return shared
			? limits[of].title('All agents together have', 'the plan')
			: limits[of].title('It has', of === 'start' && agent ? startStep(agent) : 'its plan');
	},
	detail: (state, {agent: id, of, said, shared}) => ({
		of,
		...defined({shared}),
		...allowanceOf(state, agentOf(state, id), {of, ...defined({shared})}),
		...(said === undefined ? {} : {changes: said.changes, progress: said.progress ?? null}),
	}),
});

/** Returns usage and limit, if countable. */
const allowanceOf = (
	state: State,
	agent: Agent | undefined,
	{of, shared}: Pick<LimitItem, 'of' | 'shared'>,
): Pick<LimitDetail, 'used' | 'allowed'> => {
	if (isOfLoad(of)) {
		const kind = loadKindOf(of);
		return {
			used: agent?.load?.[kind] ?? null,
			allowed: agent === undefined ? null : allowedLoad(state, agent, kind),
		};
	}

	switch (of) {
		case 'work':
		case 'near':
		case 'start':
			return {used: null, allowed: agent?.timeoutMs ?? null};
		case 'tokens':
		case 'tokens-near':
		case 'money':
		case 'money-near': {
			const {used = null, allowed = null} =
				measureOf(state, agent, {of, ...defined({shared})}) ?? {};
			return {used, allowed};
		}

		case 'turns':
			return {used: agent?.turnsInVain ?? null, allowed: mostTurnsInVain(state)};
		case 'files':
			return {
				used: (agent && lastSnapshot(agent)?.files) ?? null,
				allowed: agent === undefined ? null : mostFiles(state, agent),
			};
	}
};

const measureOf = (
	state: State,
	agent: Agent | undefined,
	{of, shared}: Pick<LimitItem, 'of' | 'shared'>,
): Measure | undefined =>
	measuresOf(state, agent ?? {}).find(
		measure => measure.unit === limits[of].unit && measure.shared === (shared ?? false),
	);

/** Returns whether the agent continues while a person is asked. */
export const isNear = ({of}: Pick<LimitItem, 'of'>): boolean => limits[of].goesOn === true;

type Limit = {
	/** Title; `who` is the agent or all agents, `what` the plan, or the step of a start. */
	readonly title: (who: string, what: string) => string;
	readonly extend: string;
	/** Unit of a spending limit. */
	readonly unit?: Unit;
	readonly goesOn?: true;
};

const moreTime = 'Extend its time limit by the same amount';
const moreTokens = {unit: 'tokens', extend: 'Extend its token limit by the same amount'} as const;
const moreMoney = {unit: 'money', extend: 'Extend its budget by the same amount'} as const;

/** Returns the limit of a resource, and the one before it at which the agent goes on. */
const loadLimit = <Of extends LoadKind>(
	of: Of,
	[over, near, name]: readonly [over: string, near: string, name: string],
) => {
	const extend = `Extend its ${name} by the same amount`;
	const both: Readonly<Record<string, Limit>> = {
		[of]: {title: () => over, extend},
		[`${of}-near`]: {title: () => `${near}; it goes on meanwhile`, extend, goesOn: true},
	};
	return both as Readonly<Record<Of | `${Of}-near`, Limit>>;
};

const limits: Readonly<Record<LimitItem['of'], Limit>> = {
	work: {title: () => 'Its time is used up', extend: moreTime},
	near: {
		title: () => 'Most of its time is used up; it goes on meanwhile',
		extend: moreTime,
		goesOn: true,
	},
	tokens: {title: (who, what) => `${who} used up the tokens of ${what}`, ...moreTokens},
	'tokens-near': {
		title: (who, what) => `${who} used up most of the tokens of ${what}; it goes on meanwhile`,
		...moreTokens,
		goesOn: true,
	},
	money: {title: (who, what) => `${who} used up the money of ${what}`, ...moreMoney},
	'money-near': {
		title: (who, what) => `${who} used up most of the money of ${what}; it goes on meanwhile`,
		...moreMoney,
		goesOn: true,
	},
	...loadLimit('memory', [
		'Its processes use more memory than their limit',
		'Its processes are close to their memory limit',
		'memory limit',
	]),
	...loadLimit('processes', [
		'It has more processes than its limit',
		'It is close to its process limit',
		'process limit',
	]),
	...loadLimit('cpu', [
		'Its processes have used more CPU time than their limit',
		'Its processes are close to their limit of CPU time',
		'limit of CPU time',
	]),
	...loadLimit('disk', [
		'It uses more of the disk than its limit',
		'It is close to its disk limit',
		'disk limit',
	]),
	...loadLimit('output', [
		'It has printed more in this turn than its limit',
		'It is close to its limit of output in a turn',
		'output limit',
	]),
	start: {title: (_, step) => `Its start is taking long: ${step}`, extend: moreTime},
	turns: {
		title: () => 'Several turns in a row changed nothing; the next one waits for your decision',
		extend: 'Let it go on',
	},
	files: {
		title: () => 'It has changed more files than its limit; its next turn waits for your decision',
		extend: 'Extend its file limit by the same amount',
	},
};

/** Offers a note unless the agent has not started or is not held up. */
const noteFor = (item: LimitItem): {readonly note?: 'optional'} =>
	item.of === 'start' || isNear(item) ? {} : {note: 'optional'};

const extended = (state: State, item: ItemOf<'limit'>, given: Given): State => {
	const {of} = item;
	const before = isNear(item) ? state : told(state, item, given);
	if (isOfLoad(of)) {
		return withMoreLoad(before, item.agent, loadKindOf(of));
	}

	switch (of) {
		case 'start':
			return withAgent(state, item.agent, agent => ({...agent, extendedAt: state.awake}));
		case 'near':
		case 'work':
			return withMoreTime(before, item.agent);
		case 'tokens-near':
		case 'money-near':
		case 'tokens':
		case 'money':
			return withMore(before, item);
		// The person's decision by itself resets the count.
		case 'turns':
			return given.note === undefined
				? state
				: replied(state, item, {heading: 'MESSAGE', about: '', text: given.note});
		case 'files':
			return withMoreFiles(state, item, given);
	}
};

const told = (state: State, item: ItemOf<'limit'>, {note = ''}: Pick<Given, 'note'>): State =>
	replied(state, item, {
		heading: 'TIME EXTENDED',
		about: item.of === 'work' ? '' : item.of,
		text: note,
	});

const withMoreLoad = (state: State, id: string, of: LoadKind): State =>
	withAgent(state, id, agent => {
		const allowed = allowedLoad(state, agent, of);
		const used = agent.load?.[of] ?? 0;
		const more = raised({used, allowed}, plannedLoad(state, agent, of));
		return {...agent, loadBudget: {...agent.loadBudget, [of]: more}};
	});

const withMoreTime = (state: State, id: string): State =>
	withAgent(state, id, agent => ({
		...agent,
		timeoutMs: agent.timeoutMs + agent.subtask.timeoutMs,
	}));

/** Raises the file limit; an agent that has finished or is in a turn is not started for it. */
const withMoreFiles = (state: State, item: ItemOf<'limit'>, {note}: Given): State => {
	const more = withAgent(state, item.agent, agent => ({
		...agent,
		fileBudget: (lastSnapshot(agent)?.files ?? 0) + (state.session?.settings.files ?? 0),
	}));
	const agent = agentOf(more, item.agent);
	return note === undefined && (agent === undefined || isLive(agent) || agent.outcome)
		? more
		: replied(more, item, {
				heading: 'MESSAGE',
				about: '',
				text: note ?? `You may change up to ${agent?.fileBudget} files. Go on.`,
			});
};

/** Raises a limit; for the shared budget, all agents that it stopped continue. */
const withMore = (state: State, item: ItemOf<'limit'>): State => {
	const agent = agentOf(state, item.agent);
	const measure = measureOf(state, agent, item);
	if (agent === undefined || measure === undefined) {
		return state;
	}

	const ofAll = readBudget(state.session?.plan.budget);
	if (item.shared && ofAll !== undefined) {
		const others = state.items.filter(
			(other): other is ItemOf<'limit'> =>
				other.kind === 'limit' && other.shared === true && other.id !== item.id,
		);
		const more = {...state, shared: {...state.shared, allowed: raised(measure, ofAll.amount)}};
		return others.reduce<State>(
			(after, other) =>
				withoutItems(isNear(other) ? after : told(after, other, {}), ({id}) => id === other.id),
			more,
		);
	}

	const name = measure.unit === 'tokens' ? 'tokenBudget' : 'moneyBudget';
	const step = budgetsOf(agent.subtask)[name] ?? 1;
	return withAgent(state, item.agent, known => ({
		...known,
		[name]: raised(measure, step),
	}));
};
