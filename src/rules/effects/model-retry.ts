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
	/** Says in words that and what is waited for. */
	readonly why: string;
	/** The limit whose reset that is, if it is one. */
	readonly limit?: LoginLimit;
};

/** What follows a turn that failed because of its model. */
export type ModelRetry =
	| {readonly kind: 'now'}
	| ModelWait
	| {readonly kind: 'never'; readonly why: string};

/** Returns when an agent whose model had trouble is to try again; nothing when its turn failed of something that does not pass by itself, or has not failed. */
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

/** A person decides what becomes of an agent that would wait longer. */
const mostDays = `that is not waited for, since it is more than ${longestLimitMs / 86_400_000} days off`;

/** Returns the wait for a login's limit; one timer serves all agents that wait for it. */
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

/** Returns a limit and when it is tried again, which is when it resets where that is known. */
export const limitTold = ({title, isUnknown}: LoginLimit, time: string): string =>
	isUnknown ? `${title}, with no reset told, tried again at ${time}` : `${title}, until ${time}`;

/** Returns the pauses that agents make now and the limits that they wait for, each with the event of its end. */
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

/** Returns the failure of a turn; after a completion report it doesn't matter. */
const failedOf = ({turn, outcome}: Agent): string | undefined =>
	turn.phase === 'ended' &&
	turn.end.by === 'error' &&
	turn.end.trouble !== undefined &&
	outcome === undefined
		? turn.end.cause
		: undefined;

/** Returns whether a trouble passes by itself, so that it is worth trying again. */
export const passesByItself = ({kind}: ModelTrouble): boolean => passings[kind] !== undefined;

/** Troubles that pass by themselves, in a few words; the others need a person. */
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

/** Returns a time in UTC: who reads it may be in another time zone than who writes it. */
const timeOf = (at: string): string => `${at.slice(11, 19)} UTC`;

const dayAndTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
