import {vi} from 'vitest';
import type {Body, Event, TurnEnd} from '../../src/events/event.ts';
import {asFailure} from '../../src/lib/failure.ts';
import type {Command} from '../../src/rules/commands/command.ts';
import type {Effect} from '../../src/rules/effects/effect.ts';
import type {Signal} from '../../src/signals/index.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {agentOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';
import {createLoop, type Loop} from '../../src/supervisor/loop.ts';
import {supervisorStarted} from './happened.ts';
import {keyText} from './key-text.ts';
import {memoryJournal} from './memory-journal.ts';
import {turnStarted} from './quiet-outcome.ts';
import {commandOf, type Typed} from './typed.ts';

/** Next action of an agent in a turn. */
export type Act =
	| {readonly does: 'say'; readonly signal: Signal}
	/** Waits for a reply on its input. */
	| {readonly does: 'listen'}
	| {readonly does: 'end'; readonly end: TurnEnd};

/** Behaviour of agents and results of effects; git is only the name of the target's tip. */
export type Behaviour = {
	/** Returns all actions of a turn that starts now. */
	readonly acts: (effect: Extract<Effect, {do: 'start'}>, seen: Seen) => readonly Act[];
	/** Returns the events of any other effect; may throw. */
	readonly outcome: (effect: Effect, seen: Seen) => readonly Body[];
};

export type Seen = {
	readonly state: State;
	readonly events: readonly Event[];
	/** Actual tip of the target. */
	readonly tip: string;
	readonly moveTip: (to: string) => void;
};

/** A possible next step. */
export type Step = {readonly what: string; readonly take: () => void};

export type FakeWorld = {
	readonly state: () => State;
	readonly events: () => readonly Event[];
	readonly tip: () => string;
	/** Returns the possible steps of effects and agents; each happens only when it is taken. */
	readonly steps: () => readonly Step[];
	/** Takes a step, with all its immediate consequences. */
	readonly take: (step: Step) => Promise<void>;
	/** Sends a person's command; resolves with its event, or with the reason of a refusal. */
	readonly ask: (command: Command | Typed) => Promise<Event | string>;
	/** Moves the target, like the person. */
	readonly moveTip: (to: string) => Promise<void>;
	/** Fires the next timer; returns false if there is none. */
	readonly ring: () => Promise<boolean>;
	/** Cuts the power of the supervisor, its agents and all running effects; returns the state that another supervisor reads from the journal. */
	readonly crash: () => Promise<State>;
	readonly close: () => void;
};

type Pending = {
	readonly effect: Effect;
	readonly settle: (bodies: Promise<readonly Body[]>) => void;
};

type Turn = {readonly number: number; acts: readonly Act[]};

/**
Returns the real loop with a real journal on a disk in memory, in a world where nothing happens by itself.

The caller decides the order in which effects end, agents act, timers fire and the supervisor dies. Needs fake timers.
*/
export const createFakeWorld = async (
	journal: readonly Event[],
	behaviour: Behaviour,
	start: {readonly tip: string},
): Promise<FakeWorld> => {
	const {events, append, reopen} = await memoryJournal(journal);
	const turns = new Map<string, Turn>();
	let {tip} = start;
	let pending: Pending[] = [];
	let broken: Error | undefined;
	let loop: Loop;
	const now = (): string => new Date().toISOString();

	const seen = (state: State): Seen => ({
		state,
		events,
		tip,
		moveTip: to => {
			tip = to;
		},
	});

	const open = async (): Promise<State> => {
		pending = [];
		turns.clear();
		const read = fold(await reopen());
		loop = createLoop({
			state: read,
			append,
			perform: effect =>
				new Promise(resolve => {
					pending.push({effect, settle: resolve});
				}),
			now,
			onBroken: failure => {
				broken = failure;
			},
		});
		const found = probe(loop.state(), tip);
		await tell(supervisorStarted(), ...found);
		return read;
	};

	const tell = async (...bodies: readonly Body[]): Promise<void> => {
		await loop.append(bodies);
		await settled();
	};

	const settled = async (): Promise<void> => {
		await new Promise(resolve => setImmediate(resolve));
		if (broken) {
			throw broken;
		}
	};

	const perform = async (effect: Effect): Promise<readonly Body[]> => {
		const state = loop.state();
		switch (effect.do) {
			case 'start': {
				const acts = behaviour.acts(effect, seen(state));
				turns.set(effect.agent, {number: effect.turn, acts});
				return [turnStarted(state, effect)];
			}

			case 'reply': {
				const turn = turns.get(effect.agent);
				if (turn?.acts[0]?.does === 'listen') {
					turn.acts = turn.acts.slice(1);
				}

				return behaviour.outcome(effect, seen(state));
			}

			case 'end-turn': {
				const isLive = turns.get(effect.agent)?.number === effect.turn;
				return isLive && turns.delete(effect.agent)
					? [ended(effect.agent, effect.turn, {by: 'stopped'})]
					: [];
			}

			default:
				return behaviour.outcome(effect, seen(state));
		}
	};

	const actOf = (agent: string, turn: Turn): Step | undefined => {
		const [act, ...rest] = turn.acts;
		const goesOn = {does: 'end', end: {by: 'exit', code: 0}} as const;
		const next = act ?? goesOn;
		if (next.does === 'listen' || (next.does === 'end' && next.end.by === 'stopped')) {
			return undefined;
		}

		return {
			what: `${agent} ${next.does}s`,
			take: () => {
				turn.acts = rest;
				if (next.does === 'end') {
					turns.delete(agent);
				}

				const {number} = turn;
				void loop.append([
					next.does === 'end'
						? ended(agent, number, next.end)
						: {kind: 'signal.said', agent, turn: number, signal: next.signal, offset: 0},
				]);
			},
		};
	};

	/** Returns whether the start of a turn is recorded, before which its first word must not be. */
	const hasStarted = (agent: string, {number}: Turn): boolean => {
		const turn = agentOf(loop.state(), agent)?.turn;
		return turn?.phase === 'live' && turn.number === number;
	};

	await open();
	return {
		state: () => loop.state(),
		events: () => events,
		tip: () => tip,
		steps: () => [
			...pending.map(({effect, settle}) => ({
				what: keyText(effect.key),
				take: () => {
					pending = pending.filter(other => other.effect !== effect);
					settle(perform(effect));
				},
			})),
			...[...turns].flatMap(([agent, turn]) =>
				hasStarted(agent, turn) ? (actOf(agent, turn) ?? []) : [],
			),
		],
		take: async step => {
			step.take();
			await settled();
		},
		ask: async asked => {
			const command = commandOf(loop.state(), asked);
			if (typeof command === 'string') {
				return command;
			}

			const answer = await loop.ask(command).catch(error => asFailure(error).message);
			await settled();
			return answer;
		},
		moveTip: async to => {
			const from = loop.state().session?.tip ?? '';
			tip = to;
			await tell({kind: 'target.moved', from, to});
		},
		ring: async () => {
			if (vi.getTimerCount() === 0) {
				return false;
			}

			await vi.advanceTimersToNextTimerAsync();
			await settled();
			return true;
		},
		crash: async () => {
			loop.close();
			return open();
		},
		close: () => loop.close(),
	};
};

const ended = (agent: string, turn: number, end: TurnEnd): Body => ({
	kind: 'turn.ended',
	agent,
	turn,
	end,
});

/** Returns the findings of a new supervisor: lost turns, and a target that moved meanwhile. */
const probe = (state: State, tip: string): readonly Body[] => {
	const lost = state.agents.flatMap(({id, turn}) =>
		turn.phase === 'live' ? [ended(id, turn.number, {by: 'lost'})] : [],
	);
	const {session} = state;
	return session && !session.ended && session.tip !== tip
		? [...lost, {kind: 'target.moved', from: session.tip, to: tip}]
		: lost;
};
