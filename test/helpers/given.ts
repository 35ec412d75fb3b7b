import {clockAt} from '../../src/events/deadline.ts';
import type {Body, BodyOf, Event, TurnEnd} from '../../src/events/event.ts';
import type {Plan, Subtask} from '../../src/events/plan.ts';
import {later} from '../../src/lib/text/duration.ts';
import {defined} from '../../src/lib/values.ts';
import type {Command} from '../../src/rules/commands/command.ts';
import {eventOf} from '../../src/rules/commands/grant.ts';
import {whyNot} from '../../src/rules/commands/why-not.ts';
import type {Effect, Owed} from '../../src/rules/effects/effect.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import type {Signal} from '../../src/signals/index.ts';
import {createParser} from '../../src/signals/parser/parser.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {apply} from '../../src/state/apply/apply.ts';
import type {Item} from '../../src/state/item.ts';
import {agentOf} from '../../src/state/select.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {deadlineText, keyText} from './key-text.ts';
import {planOf, sessionStarted, settingsOf, subtask} from './plan.ts';
import {quietOutcome} from './quiet-outcome.ts';
import {commandOf, type Typed} from './typed.ts';

type Options = {
	readonly plan?: Partial<Plan>;
	readonly settings?: Partial<BodyOf<'session.started'>['settings']>;
	readonly demo?: boolean;
};

/** A decision as a test gives it. */
type Extras = Partial<Omit<Typed, 'kind' | 'item' | 'choice'>>;

type SaidBy = Pick<BodyOf<'signal.said'>, 'by' | 'file'>;

/**
A session in memory, without a loop and without a world.

Each event is applied together with all that follow from it, like in the loop; effects run only when the test says so. The clock moves a second with each event.
*/
export type Given = {
	readonly state: () => State;
	readonly events: () => readonly Event[];
	readonly owed: () => Owed;
	/** Returns the owed effects, as the text forms of their keys. */
	readonly keys: () => readonly string[];
	readonly agent: (id: string) => Agent;
	readonly stateOf: (id: string) => string;
	/** Returns the kinds of all open items, in order. */
	readonly kinds: () => readonly string[];
	/** Returns the first open item of a kind; throws if there is none. */
	readonly item: <Kind extends Item['kind']>(kind: Kind) => Extract<Item, {kind: Kind}>;
	readonly tell: (...bodies: readonly Body[]) => void;
	/** Lets an agent send a signal in its transcript, or in another way. */
	readonly says: (id: string, text: string, way?: SaidBy) => void;
	/** Ends the live turn of an agent and takes its final snapshot. */
	readonly ends: (id: string, end?: TurnEnd, lastError?: string) => void;
	/** Lets an agent report success and end its turn. */
	readonly finishes: (id: string) => void;
	/** Lets the first owed effect whose text form starts so fail, for good by default; throws if there is none. */
	readonly fails: (start: string, message?: string, final?: boolean) => void;
	/** Sends a command; returns the reason if it is refused. */
	readonly ask: (command: Command | Typed) => string | undefined;
	/** Decides an item by its id; returns the reason if that is refused. */
	readonly refusal: (item: string, choice: string, extras?: Extras) => string | undefined;
	/** Decides an item by its id; throws if it is refused. */
	readonly decide: (item: string, choice: string, note?: string, extras?: Extras) => void;
	/** Runs the owed effects of single agents, with their usual results, until none is left. */
	readonly work: () => void;
	/** Returns the first armed deadline whose text form starts so, if any. */
	readonly timer: (start: string) => Owed['timers'][number] | undefined;
	/** Lets that deadline pass; throws if none is armed. */
	readonly pass: (start: string) => void;
	/** Advances the time without events, in milliseconds. */
	readonly wait: (ms: number) => void;
	/** Advances the clock while the machine sleeps, in milliseconds. */
	readonly sleep: (ms: number) => void;
};

/** Returns a session of these agents whose plan waits for its approval. */
export const planned = (
	agents: readonly (string | Subtask)[],
	{plan = {}, settings = {}, demo = false}: Options = {},
): Given => {
	const session = createGiven();
	const subtasks = agents.map(agent => (typeof agent === 'string' ? subtask(agent) : agent));
	session.tell(sessionStarted(planOf(subtasks, plan), {demo, settings: settingsOf(settings)}));
	return session;
};

/** Returns a session whose plan was just approved. */
export const starting = (agents: readonly (string | Subtask)[], options?: Options): Given => {
	const session = planned(agents, options);
	session.decide('p-1', 'approve');
	return session;
};

/** Returns a session whose agents, as many as there are slots, are in their first turn. */
export const working = (agents: readonly (string | Subtask)[], options?: Options): Given => {
	const session = starting(agents, options);
	session.work();
	return session;
};

/** Returns a session whose agents are all COMPLETE and wait for their review. */
export const completed = (agents: readonly (string | Subtask)[], options?: Options): Given => {
	const session = working(agents, options);
	for (const {id} of session.state().agents) {
		session.finishes(id);
	}

	return session;
};

/** Returns a session in which AGT-001, the only agent by default, has sent this in its first turn. */
export const saying = (
	text: string,
	agents: readonly (string | Subtask)[] = ['AGT-001'],
): Given => {
	const session = working(agents);
	session.says('AGT-001', text);
	return session;
};

/** Returns a session in which it has asked a question and was parked. */
export const parked = (agents?: readonly (string | Subtask)[]): Given => {
	const session = saying(ask, agents);
	session.ends('AGT-001');
	return session;
};

/** Returns a session whose agents are all accepted into the merge. */
export const accepted = (agents: readonly (string | Subtask)[], options?: Options): Given => {
	const session = completed(agents, options);
	for (const {id, kind} of session.state().items) {
		if (kind === 'review') {
			session.decide(id, 'merge');
		}
	}

	return session;
};

/** Returns the text of a clarification with these lines. */
export const asking = (lines: string): string =>
	`[CLARIFICATION_NEEDED]\n${lines}\n[/CLARIFICATION_NEEDED]\n`;

/** Returns the text of a clarification with these questions. */
export const asks = (questions: string): string => asking(`questions: [${questions}]`);

/** Text of a question. */
export const ask = asks('Which port?');

/** Text of a blocked agent. */
export const stopWork = '[STOP_WORK]\ndetails: no disk\n[/STOP_WORK]\n';

/** Returns the text of a checkpoint with these lines. */
export const checkpoint = (lines: string): string =>
	`----------\nAGENT CHECKPOINT: AGT-001\n----------\n${lines}\n----------\n`;

/** Text of any checkpoint. */
export const banner = checkpoint('Status: IN_PROGRESS');

/** Returns a completion report as agents write it. */
export const report = (status: 'success' | 'partial' | 'failed'): string =>
	`[COMPLETION_REPORT]\nstatus: ${status}\n[/COMPLETION_REPORT]\n`;

/** Returns the signals of a text. */
export const hear = (text: string, expect: readonly string[] = []): readonly Signal[] => {
	const parser = createParser({expect});
	return [...parser.push(text), ...parser.end()];
};

const createGiven = (): Given => {
	const events: Event[] = [];
	let state = emptyState;
	let at = '2026-01-01T00:00:00.000Z';
	let aheadMs: number | undefined;
	let known: {readonly of: State; readonly owed: Owed} | undefined;
	/** Caches the owed effects, which a test and its steps request repeatedly for the same state. */
	const owes = (): Owed => {
		if (known?.of !== state) {
			known = {of: state, owed: owed(state)};
		}

		return known.owed;
	};

	const believe = (body: Body): void => {
		const event = {...body, at, seq: state.seq + 1, ...defined({aheadMs})};
		events.push(event);
		state = apply(state, event);
	};

	const tell: Given['tell'] = (...bodies) => {
		at = later(at, 1000);
		bodies.forEach(believe);
		for (let due = owes().events; due.length > 0; due = owes().events) {
			due.forEach(believe);
			if (events.length > 10_000) {
				throw new Error('The rules follow from one another in a circle.');
			}
		}
	};

	const agent = (id: string): Agent => found(agentOf(state, id), `agent ${id}`);
	const turnOf = (id: string): number => agent(id).turn.number;

	const ask: Given['ask'] = asked => {
		const command = commandOf(state, asked);
		if (typeof command === 'string') {
			return command;
		}

		const refusal = whyNot(state, command);
		if (refusal === undefined) {
			tell(...eventOf(command));
		}

		return refusal;
	};

	const work = (): void => {
		for (let todo = quiet(owes()); todo.length > 0; todo = quiet(owes())) {
			for (const effect of todo) {
				tell(...quietOutcome(state, effect));
			}
		}
	};

	const says: Given['says'] = (id, text, way) => {
		for (const signal of hear(text, agent(id).subtask.expect)) {
			tell({kind: 'signal.said', agent: id, turn: turnOf(id), signal, offset: 0, ...way});
		}
	};

	const ends: Given['ends'] = (id, end = {by: 'exit', code: 0}, lastError) => {
		tell({kind: 'turn.ended', agent: id, turn: turnOf(id), end, ...defined({lastError})});
		for (const effect of owes().effects) {
			if (effect.do === 'snapshot' && effect.agent === id) {
				tell(...quietOutcome(state, effect));
			}
		}
	};

	const timerOf: Given['timer'] = start =>
		owes()
			.timers.toSorted((one, other) => (one.at < other.at ? -1 : 1))
			.find(({event}) => deadlineText(event.deadline).startsWith(start));

	const refusal: Given['refusal'] = (item, choice, extras = {}) =>
		ask({kind: 'decide', item, choice, by: 'user', ...extras});

	return {
		state: () => state,
		events: () => events,
		owed: () => owes(),
		keys: () => owes().effects.map(({key}) => keyText(key)),
		agent,
		stateOf: id => agent(id).state,
		kinds: () => state.items.map(({kind}) => kind),
		item: <Kind extends Item['kind']>(kind: Kind) =>
			found(
				state.items.find((item): item is Extract<Item, {kind: Kind}> => item.kind === kind),
				`item of kind ${kind}`,
			),
		tell,
		says,
		ends,
		finishes: id => {
			says(id, report('success'));
			ends(id);
		},
		fails: (start, message = 'the disk is full', final = true) => {
			const {key: effect} = found(
				owes().effects.find(({key}) => keyText(key).startsWith(start)),
				`effect ${start}`,
			);
			tell({kind: 'effect.failed', effect, message, final});
		},
		ask,
		refusal,
		decide: (item, choice, note, extras) => {
			const why = refusal(item, choice, {...defined({note}), ...extras});
			if (why !== undefined) {
				throw new Error(`${choice} of ${item} is refused: ${why}`);
			}
		},
		work,
		wait: ms => {
			at = later(at, ms);
		},
		sleep: ms => {
			at = later(at, ms);
			aheadMs = (aheadMs ?? 0) + ms;
		},
		timer: timerOf,
		pass: start => {
			const timer = found(timerOf(start), `deadline ${start}`);
			const due = clockAt(timer.at, state);
			at = due > at ? due : at;
			tell(timer.event);
		},
	};
};

/** Returns the effects without building, checking and publishing, which concern the whole session: the test provides their results. */
const quiet = ({effects}: Owed): readonly Effect[] =>
	effects.filter(({do: what}) => !['build', 'verify', 'publish'].includes(what));

const found = <T>(value: T | undefined, what: string): T => {
	if (value === undefined) {
		throw new Error(`There is no ${what}.`);
	}

	return value;
};
