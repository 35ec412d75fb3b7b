import type {Awake} from '../events/deadline.ts';
import type {EventOf} from '../events/event.ts';
import type {ModelTrouble} from '../events/model-trouble.ts';
import type {AgentCommand} from '../events/plan.ts';
import {vendors} from '../events/vendors.ts';
import {later} from '../lib/text/duration.ts';
import {defined} from '../lib/values.ts';
import type {Agent, TroubledTurns} from './agent/agent.ts';
import {agentOf} from './select.ts';
import type {LoginLimit, State} from './state.ts';

/** Longest wait for a limit, in milliseconds: the longest subscription limits reset after a week, plus a day. */
export const longestLimitMs = 8 * 24 * 3_600_000;

/** Counts a turn that failed because of the model. A stopped or lost turn is no evidence; any other turn without trouble ends the series. */
export const troubledAfter = (
	before: TroubledTurns | undefined,
	{turn, end}: EventOf<'turn.ended'>,
	at: Awake,
): Pick<Agent, 'troubled'> => {
	if (end.by === 'stopped' || end.by === 'lost') {
		return defined({troubled: before});
	}

	if (end.by !== 'error' || end.trouble === undefined) {
		return {};
	}

	const {count = 0, limits = 0, first = turn} = before ?? {};
	const troubled = {last: end.trouble, at, count, limits, first};
	return {
		troubled: isLimit(end.trouble)
			? {...troubled, limits: limits + 1}
			: {...troubled, count: count + 1},
	};
};

/** Returns whether a service refuses requests for some time, known or not: it passes by itself, so waiting uses up no try. */
export const isLimit = ({kind, limit}: ModelTrouble): boolean =>
	limit !== undefined || kind === 'rate';

/** Returns whether a limit that was met at a time resets too late to wait for. */
export const isTooLate = (until: string, at: string): boolean =>
	!(Date.parse(until) - Date.parse(at) <= longestLimitMs);

/** Returns the limit that keeps an agent from starting a turn; of several, the one that resets last. */
export const limitOf = (
	{loginLimits}: Pick<State, 'loginLimits'>,
	id: string,
): LoginLimit | undefined =>
	loginLimits
		.filter(({holds}) => holds.includes(id))
		.toSorted((one, other) => (one.until < other.until ? -1 : 1))
		.at(-1);

/**
Records a limit that an agent's turn met.

The pauses of other failures apply, too: if the reset is late, unknown, or within the current minute, retries would follow each other at once. A limit without a reset holds only its agent, since it may be over in a moment.
*/
export const withLimitMet = (state: State, id: string, trouble: ModelTrouble): State => {
	const {retryAfterMs = 0} = trouble;
	if (!isLimit(trouble) || retryAfterMs > longestLimitMs) {
		return state;
	}

	const {limit = {name: 'limit', until: later(state.at, retryAfterMs)}} = trouble;
	const isUnknown = trouble.limit === undefined && trouble.retryAfterMs === undefined;
	const {troubled, subtask} = agentOf(state, id) ?? {};
	const pauses = state.session?.settings.modelRetriesMs ?? [];
	const pauseMs = pauses[Math.min(troubled?.limits ?? 0, pauses.length) - 1];
	if (subtask === undefined || pauseMs === undefined || isTooLate(limit.until, state.at)) {
		return state;
	}

	const soonest = later(state.at, pauseMs);
	const met: LoginLimit = {
		title: `${isUnknown ? 'too many requests' : limit.name} of ${nameOf(subtask.agent)}`,
		until: limit.until > soonest ? limit.until : soonest,
		...(isUnknown ? {isUnknown} : {}),
		...defined({ofModel: trouble.limit?.ofModel}),
		agent: id,
		holds: [id, ...(trouble.limit?.shared ?? [])],
	};
	return {...state, loginLimits: [...state.loginLimits.filter(({agent}) => agent !== id), met]};
};

/** Makes another agent wait for a limit. */
export const limitShared = (
	state: State,
	{agent: id, metBy, until}: EventOf<'limit.shared'>,
): State => ({
	...state,
	loginLimits: state.loginLimits.map(limit =>
		limit.agent === metBy && limit.until === until && !limit.holds.includes(id)
			? {...limit, holds: [...limit.holds, id]}
			: limit,
	),
});

export const limitReset = (
	state: State,
	{agent, until}: Pick<LoginLimit, 'agent' | 'until'>,
): State => ({
	...state,
	loginLimits: state.loginLimits.filter(limit => limit.agent !== agent || limit.until !== until),
});

/** Removes the limits of an agent that begins a turn. */
export const limitOutlived = (state: State, id: string): State => ({
	...state,
	loginLimits: state.loginLimits.filter(({agent, holds}) => agent !== id || !holds.includes(id)),
});

/** Removes the limits that an agent waits for, so that all agents that wait for them try at once. */
export const withoutLimitsOf = (state: State, id: string): State => ({
	...state,
	loginLimits: state.loginLimits.filter(({holds}) => !holds.includes(id)),
});

/** Removes an agent from all limits: it may now work with another login. */
export const letOutOfLimits = (state: State, id: string): State => ({
	...state,
	loginLimits: state.loginLimits.map(limit => ({
		...limit,
		holds: limit.holds.filter(held => held !== id),
	})),
});

const nameOf = (agent: AgentCommand): string => {
	const vendor = agent.protocol === 'acp' ? agent.vendor : agent.stream;
	const program = agent.command[0]?.split(/[\\/]/).at(-1);
	return vendor === undefined ? (program ?? 'its program') : vendors[vendor].login;
};
