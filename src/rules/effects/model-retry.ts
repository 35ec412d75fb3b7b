import {type Awake, awakeAt, awakeLater, clockAt, type Deadline} from '../../events/deadline.ts';
import type {ModelTrouble, TroubleKind} from '../../events/model-trouble.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isLimit, isTooLate, limitOf, longestLimitMs} from '../../state/login-limits.ts';
import {hasPassed, type LoginLimit, type State} from '../../state/state.ts';
import {type Timer, timerOf} from './effect.ts';

/** A pause before the next try. */
export type ModelWait = {
	readonly kind: 'at';
	readonly at: Awake;
	readonly deadline: Deadline;
	/** Sentence about the wait and its reason. */
	readonly why: string;
	/** Limit whose reset it waits for, if any. */
	readonly limit?: LoginLimit;
};

/** Reaction to a turn that failed because of its model. */
export type ModelRetry =
	| {readonly kind: 'now'}
	| ModelWait
	| {readonly kind: 'never'; readonly why: string};

/** Returns when an agent retries after trouble with its model; nothing if its turn has not failed, or failed for a reason that does not pass by itself. */
export const modelRetryOf = (state: State, agent: Agent): ModelRetry | undefined => {
	const {troubled, turn} = agent;
	const cause = failedOf(agent);
	if (troubled === undefined || cause === undefined) {
		return undefined;
	}

	const passing = passings[troubled.last.kind];
	const pauses = state.session?.settings.modelRetriesMs ?? [];
	const pause = pauses[troubled.count - 1];
	if (passing === undefined || pauses.length === 0) {
		return undefined;
	}

	if (troubled.hurried) {
		return {kind: 'now'};
	}

	const {limit, retryAfterMs = 0} = troubled.last;
	if (
		retryAfterMs > longestLimitMs ||
		(limit && isTooLate(limit.until, clockAt(troubled.at, state)))
	) {
		return {kind: 'never', why: `${cause}; ${mostDays}`};
	}

	if (isLimit(troubled.last)) {
		const waited = limitOf(state, agent.id);
		return waited === undefined ? {kind: 'now'} : limitWait(state, waited);
	}

	if (pause === undefined) {
		return {kind: 'never', why: `${cause}; it was tried ${pauses.length} times more`};
	}

	const at = awakeLater(troubled.at, Math.max(pause, retryAfterMs));

	const deadline: Deadline = {of: 'model', agent: agent.id, turn: turn.number};
	const tries = `try ${troubled.count} of ${pauses.length}`;
	return hasPassed(state, deadline)
		? {kind: 'now'}
		: {
				kind: 'at',
				at,
				deadline,
				why: `waits for its model until ${timeOf(clockAt(at, state))} (${tries}: ${passing})`,
			};
};

/** For longer waits a person decides about the agent. */
const mostDays = `that is not waited for, since it is more than ${longestLimitMs / 86_400_000} days off`;

/** Returns the wait for a login's limit; all waiting agents share its timer. */
const limitWait = (state: State, limit: LoginLimit): ModelWait => {
	const {agent, until} = limit;
	return {
		kind: 'at',
		at: awakeAt(until, state.aheadMs),
		deadline: {of: 'reset', agent, until},
		why: limitTold(limit, dayAndTime(until)),
		limit,
	};
};

/** Returns a text of a limit and the time of the next try, which is its reset if known. */
export const limitTold = ({title, isUnknown}: LoginLimit, time: string): string =>
	isUnknown ? `${title}, with no reset told, tried again at ${time}` : `${title}, until ${time}`;

/** Returns the timers of agents that pause and of the limits that they wait for, each with the event of its end. */
export const modelTimers = (state: State): readonly Timer[] => [
	...state.loginLimits.map(limit => timerOf(limitWait(state, limit))),
	...state.agents.flatMap(agent => {
		const wait = modelWaitOf(state, agent);
		return wait === undefined || wait.limit !== undefined ? [] : [timerOf(wait)];
	}),
];

/** Returns until when and why an agent waits for its model, if it does. */
export const modelWaitOf = (state: State, agent: Agent): ModelWait | undefined => {
	const retry = agent.state === 'CHECKPOINT' ? modelRetryOf(state, agent) : undefined;
	return retry?.kind === 'at' ? retry : undefined;
};

/** Returns the failure of a turn; after a completion report it is ignored. */
const failedOf = ({turn, outcome}: Agent): string | undefined =>
	turn.phase === 'ended' &&
	turn.end.by === 'error' &&
	turn.end.trouble !== undefined &&
	outcome === undefined
		? turn.end.cause
		: undefined;

/** Returns whether a trouble passes by itself, so that a retry can help. */
export const passesByItself = ({kind}: ModelTrouble): boolean => passings[kind] !== undefined;

/** Descriptions of the troubles that pass by themselves; the others need a person. */
const passings: Readonly<Record<TroubleKind, string | undefined>> = {
	rate: 'too many requests',
	overloaded: 'it is overloaded',
	service: 'its service has trouble',
	network: 'it can’t be reached',
	login: undefined,
	access: undefined,
	credit: undefined,
	context: undefined,
	model: undefined,
	request: undefined,
	refused: undefined,
	limit: undefined,
	unknown: undefined,
};

/** Returns a time in UTC: its reader may be in another time zone than its writer. */
const timeOf = (at: string): string => `${at.slice(11, 19)} UTC`;

const dayAndTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
