import {awakeMs} from '../events/deadline.ts';
import type {EffectKey} from '../events/effect-key.ts';
import type {Asker, Body, Event} from '../events/event.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {defined, isSame} from '../lib/values.ts';
import type {Command} from '../rules/commands/command.ts';
import {eventOf} from '../rules/commands/grant.ts';
import {hintFor, whyNot} from '../rules/commands/why-not.ts';
import type {Effect} from '../rules/effects/effect.ts';
import {owed} from '../rules/effects/effects.ts';
import {apply} from '../state/apply/apply.ts';
import type {State} from '../state/state.ts';

/** Dependencies of the loop; tests pass a fake world. */
export type LoopParts = {
	readonly state: State;
	/** Writes events durably, and returns them with their numbers. */
	readonly append: (bodies: readonly Timed[]) => Promise<readonly Event[]>;
	readonly perform: (effect: Effect, state: State) => Promise<readonly Body[]>;
	readonly now: () => string;
	/** Latest recorded session time, in milliseconds since 1970. */
	readonly recordedMs?: number;
	/** Returns a monotonic time in milliseconds; default: that of this process. */
	readonly steadyMs?: () => number;
	/** Called with the new state after each batch of written events. */
	readonly onChange?: (state: State, events: readonly Event[]) => void;
	/** Called once, when a write fails: after that, the loop applies no event and performs no effect. */
	readonly onBroken: (failure: Failure) => void;
};

/** An event with its time, before the journal numbers it. */
export type Timed = Body & Time;

type Time = Pick<Event, 'at' | 'aheadMs'>;

/** The only place in the program that makes events happen. */
export type Loop = {
	readonly state: () => State;
	/** Submits a command; resolves with the event that it became, or rejects with the reason for its refusal. */
	readonly ask: (command: Command, asker?: Asker) => Promise<Event>;
	/** Appends events to the journal; resolves when they are written. */
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Records that the clock was set, or that it went on while the machine slept, even without another event: readers need it to show times. */
	readonly lookAtClock: () => void;
	/** Returns the session time, in milliseconds since 1970. */
	readonly awakeMs: () => number;
	/** Starts no more timers and no more effects. */
	readonly close: () => void;
};

type Waiting = {
	readonly bodies: (state: State) => readonly Body[];
	readonly resolve: (events: readonly Event[]) => void;
	readonly reject: (failure: Failure) => void;
};

/** Maximum number of events that may follow from one another at once; more would be a cycle. */
const maximumConsequences = 1000;

/**
Writes events, then applies them, then acts on the new state.

Requests that wait form one batch: the loop checks and numbers them against the state that they lead to, writes them at once, applies them and answers them. Only then it performs the effects that the new state owes.
*/
export const createLoop = (parts: LoopParts): Loop => {
	let {state} = parts;
	let waiting: Waiting[] = [];
	let draining = false;
	let closed = false;
	let timer: NodeJS.Timeout | undefined;
	const underWay: EffectKey[] = [];
	const clock = sessionClock(state, {
		now: parts.now(),
		recordedMs: parts.recordedMs ?? 0,
		steadyMs: parts.steadyMs ?? (() => performance.now()),
	});

	const enqueue = (bodies: Waiting['bodies']): Promise<readonly Event[]> =>
		new Promise((resolve, reject) => {
			waiting.push({bodies, resolve, reject});
			void drain();
		});

	const drain = async (): Promise<void> => {
		if (draining) {
			return;
		}

		draining = true;
		while (waiting.length > 0 && !closed) {
			const taken = waiting;
			waiting = [];
			await batch(taken);
		}

		draining = false;
		for (const {reject} of waiting.splice(0)) {
			reject(new Failure('refused', 'The supervisor is stopping.'));
		}
	};

	const timeNow = (): Time => {
		const at = parts.now();
		const aheadMs = clock.aheadMs(at);
		return aheadMs === state.aheadMs ? {at} : {at, aheadMs};
	};

	const batch = async (taken: readonly Waiting[]): Promise<void> => {
		try {
			const {bodies, granted} = planBatch(state, taken, timeNow());
			const events = bodies.length === 0 ? [] : await parts.append(bodies);
			state = events.reduce(apply, state);
			parts.onChange?.(state, events);
			for (const {entry, from, count} of granted) {
				entry.resolve(events.slice(from, from + count));
			}
		} catch (error) {
			closed = true;
			const failure = asFailure(error);
			for (const entry of taken) {
				entry.reject(failure);
			}

			parts.onBroken(failure);
			return;
		}

		act();
	};

	const act = (): void => {
		clearTimeout(timer);
		if (closed) {
			return;
		}

		const {effects, timers} = owed(state);
		for (const effect of effects) {
			if (!underWay.some(key => isSame(key, effect.key))) {
				underWay.push(effect.key);
				void performOne(effect);
			}
		}

		const next = Math.min(...timers.map(({at}) => awakeMs(at)));
		if (next < Infinity) {
			timer = setTimeout(ring, Math.min(longestDelayMs, Math.max(0, next - clock.awakeMs())));
		}
	};

	/** Performs one effect. The effect stays under way until its outcome is applied, so the loop never performs it twice for one reason. */
	const performOne = async (effect: Effect): Promise<void> => {
		const bodies = await parts
			.perform(effect, state)
			.catch((error): Body[] => [failed(effect.key, asFailure(error))]);
		await enqueue(current => outcomeOf(current, effect, bodies)).catch(() => {});
		underWay.splice(underWay.indexOf(effect.key), 1);
		act();
	};

	const clockChange = ({session, aheadMs}: State): readonly Body[] => {
		const byMs = clock.aheadMs(parts.now()) - aheadMs;
		return byMs === 0 || session === null || session.ended ? [] : [{kind: 'machine.clock', byMs}];
	};

	const ring = (): void => {
		// Compute due events from the state that they will meet: another ring may have recorded them already.
		void enqueue(current =>
			owed(current)
				.timers.filter(({at}) => awakeMs(at) <= clock.awakeMs())
				.map(({event}) => event),
		).catch(() => {});
	};

	return {
		state: () => state,
		ask: async (command, asker) => {
			const events = await enqueue(current => {
				const refusal = whyNot(current, command);
				if (refusal !== undefined) {
					throw new Failure('refused', refusal, {hint: hintFor(current, command)});
				}

				return eventOf(command).map(body => withAsker(body, asker));
			});
			const [event] = events;
			if (!event) {
				throw new Failure('internal', 'A granted command has no event.');
			}

			return event;
		},
		append: async bodies => {
			await enqueue(() => bodies);
		},
		lookAtClock: () => {
			if (clockChange(state).length > 0) {
				void enqueue(clockChange).catch(() => {});
			}
		},
		awakeMs: clock.awakeMs,
		close: () => {
			closed = true;
			clearTimeout(timer);
		},
	};
};

type Granted = {readonly entry: Waiting; readonly from: number; readonly count: number};

/** Numbers the granted commands and all events that follow from them at once, each against the state before it. */
const planBatch = (
	state: State,
	taken: readonly Waiting[],
	time: Time,
): {bodies: Timed[]; granted: Granted[]} => {
	const bodies: Timed[] = [];
	const granted: Granted[] = [];
	let ahead = state;
	const add = (body: Body): void => {
		bodies.push({...body, ...time});
		ahead = apply(ahead, {...body, ...time, seq: ahead.seq + 1});
	};

	for (const entry of taken) {
		const from = bodies.length;
		try {
			const own = entry.bodies(ahead);
			own.forEach(add);
			granted.push({entry, from, count: own.length});
		} catch (error) {
			entry.reject(asFailure(error));
			continue;
		}

		followUp(() => ahead, add);
	}

	return {bodies, granted};
};

const followUp = (ahead: () => State, add: (body: Body) => void): void => {
	for (let round = 0; round < maximumConsequences; round++) {
		const {events} = owed(ahead());
		if (events.length === 0) {
			return;
		}

		events.forEach(add);
	}

	throw new Failure('internal', 'The rules follow from one another in a circle.');
};

const withAsker = (body: Body, asker: Asker | undefined): Body =>
	(body.kind === 'user.decided' || body.kind === 'user.steered') && asker !== undefined
		? {...body, asker}
		: body;

/**
Reports an effect as failed if it is still owed and produced no event: the loop would retry it at once, forever.

Drops the outcome of a build whose inputs changed: it moved nothing, and is repeated. The outcome of any other effect is reported even if the effect is no longer owed.
*/
const outcomeOf = (state: State, effect: Effect, bodies: readonly Body[]): readonly Body[] => {
	if (!owed(state).effects.some(({key}) => isSame(key, effect.key))) {
		return effect.do === 'build' ? [] : bodies;
	}

	return bodies.length === 0
		? [failed(effect.key, new Failure('internal', 'It ended without a result.'))]
		: bodies;
};

const failed = (effect: EffectKey, {kind, message, hint, printed}: Failure): Body => ({
	kind: 'effect.failed',
	effect,
	message,
	...defined({hint, printed}),
	final: kind !== 'internal',
});

/** Longest delay that a timer accepts, in milliseconds; a later deadline is checked again after it. */
const longestDelayMs = 2 ** 31 - 1;

/** Time of a session, which is independent of the wall clock. */
export type SessionClock = {
	/** Returns the session time, in milliseconds since 1970. */
	readonly awakeMs: () => number;
	/** Returns how far the wall clock is ahead of the session time when it shows `at`, in milliseconds. */
	readonly aheadMs: (at: string) => number;
};

type Parts = {
	readonly now: string;
	readonly recordedMs: number;
	readonly steadyMs: () => number;
};

/** Differences below this are ordinary clock corrections, in milliseconds; no deadline needs more precision. */
const slackMs = 2000;

/**
Continues the session time from the last event, or from a later record; the time of a new session starts at the wall clock.

`steadyMs` returns milliseconds since some moment. Setting the wall clock doesn't change it, but on Linux it stops while the machine sleeps.
*/
const sessionClock = (
	{seq, awake, aheadMs}: Pick<State, 'seq' | 'awake' | 'aheadMs'>,
	{now, recordedMs, steadyMs}: Parts,
): SessionClock => {
	const begun = (seq === 0 ? Date.parse(now) : Math.max(awakeMs(awake), recordedMs)) - steadyMs();
	const ownMs = (): number => begun + steadyMs();
	let known = aheadMs;
	return {
		awakeMs: ownMs,
		aheadMs: at => {
			const found = Math.round(Date.parse(at) - ownMs());
			known = Math.abs(found - known) < slackMs ? known : found;
			return known;
		},
	};
};
