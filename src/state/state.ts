import {type Awake, awakeAt, type Deadline} from '../events/deadline.ts';
import type {EffectKey} from '../events/effect-key.ts';
import type {BodyOf} from '../events/event.ts';
import type {Finding, UnreadFiles} from '../events/finding.ts';
import type {
	NotCleared,
	RestartFinding,
	Sandbox,
	SlowGit,
	SurvivingProcess,
} from '../events/kinds/machine-event.ts';
import {isSame} from '../lib/values.ts';
import {type Agent, cancel} from './agent/agent.ts';
import type {Spending} from './agent/spending.ts';
import {
	agentOfItem,
	type Item,
	type ItemDetail,
	type ItemOf,
	isOfKind,
	itemId,
	itemPrefix,
	type Kind,
	withPlaced,
} from './item.ts';
import type {CheckedTree, Intent, Merge, Publication, Resolution} from './merge/merge.ts';

/** The one session a state is about. */
export type Session = Omit<BodyOf<'session.started'>, 'kind'> & {
	readonly startedAt: string;
	/** The target's tip as last seen. */
	readonly tip: string;
	/** Where our last move left the target, if there was one: who has not begun yet begins there instead of at the base. */
	readonly start?: string;
	/** The commits of ours that came to the target. */
	readonly ours: readonly string[];
	readonly approved: boolean;
	/** Set when a person asked to stop: how the session will end. */
	readonly stopping?: 'COMPLETE' | 'ABORTED';
	readonly ended?: {
		readonly status: 'COMPLETE' | 'ABORTED';
		readonly why: string;
		readonly at: string;
	};
};

/** How often an effect has failed, so that a failing effect can't spin. */
export type Attempt = {
	readonly effect: EffectKey;
	readonly count: number;
	readonly at: Awake;
	readonly message: string;
	readonly final: boolean;
};

/** Findings of a supervisor that started after a crash. */
type Found = RestartFinding & {readonly at: string};

/** A process that could not be ended, and whose it is. */
type Survivor = SurvivingProcess & {readonly agent: string | null};

/** Everything that is true of a session; made by `apply` and by nothing else. */
export type State = {
	readonly seq: number;
	readonly at: string;
	/** How far the clock is ahead of the session's own time, in milliseconds. */
	readonly aheadMs: number;
	/** Awake time at the last event. */
	readonly awake: Awake;
	readonly session: Session | null;
	readonly agents: readonly Agent[];
	/** Usage of the plan's shared budget, as last reported, and the budget that a person has set since. */
	readonly shared?: Spending & {readonly allowed?: number};
	readonly items: readonly Item[];
	/** Limits that were met and have not reset yet. */
	readonly loginLimits: readonly LoginLimit[];
	/** Commands that agents may run for the rest of the session without asking. */
	readonly allowances: readonly CommandLeave[];
	/** How many items of each prefix there ever were. */
	readonly counts: Readonly<Record<string, number>>;
	readonly merge: Merge;
	/** Results of the last checks by tree, so that no tree is checked twice. */
	readonly checkedTrees: readonly CheckedTree[];
	readonly resolutions: readonly Resolution[];
	/** Commit message that a person wrote for the merge of these agents; null for the default message. */
	readonly message: {readonly agents: readonly string[]; readonly text: string} | null;
	/** Agents the types of whose result a person has checked beyond the limit, until the work of one of them changes. */
	readonly allTypesOf: readonly string[] | null;
	/** Findings of the last comparison of agents' work; pairs without a finding are left out. */
	readonly compared: readonly ComparedPair[];
	/** The results that were published, the last one last, and whether they stand. */
	readonly publications: readonly Publication[];
	/** Moves of the target that were begun and cut off, until one comes to its end. */
	readonly interrupted: readonly Intent[];
	/** Why what they left can't be taken back, until something happens that may have changed that. */
	readonly notCleared: NotCleared | null;
	/** Digest of what the person's git goes by, as they last agreed to go on with. */
	readonly agreedSettings: string | null;
	/** Work that agents were told to skip, the oldest first. */
	readonly skipped: readonly Skipped[];
	/** Effects that failed, each once. */
	readonly attempts: readonly Attempt[];
	readonly passed: readonly Deadline[];
	readonly sandbox: Sandbox | null;
	/** Last report on the disk; null while there is enough space. */
	readonly disk: (Omit<BodyOf<'machine.disk'>, 'kind'> & {readonly since: Awake}) | null;
	readonly survivors: readonly Survivor[];
	/** The git in the person's repository that takes long, if one does. */
	readonly waiting: SlowGit | null;
	/** Files of the person's checkout that were written while agents were at work, since the last merge. */
	readonly written: readonly string[];
	/** Why documents in the person's checkout can't be written. */
	readonly documents: readonly string[];
	/** Why files of questions and answers can't be read or written. */
	readonly questionFiles: readonly string[];
	/** Errors of question files that agents named, by item. */
	readonly questionErrors: Readonly<Record<string, string>>;
	/** Findings of the last restart, until a person's next decision. */
	readonly found: Found | null;
};

const beginning = '1970-01-01T00:00:00.000Z';

export const emptyState: State = {
	seq: 0,
	at: beginning,
	aheadMs: 0,
	awake: awakeAt(beginning, 0),
	session: null,
	agents: [],
	items: [],
	loginLimits: [],
	allowances: [],
	counts: {},
	merge: {phase: 'none'},
	checkedTrees: [],
	resolutions: [],
	message: null,
	allTypesOf: null,
	compared: [],
	publications: [],
	interrupted: [],
	agreedSettings: null,
	notCleared: null,
	skipped: [],
	attempts: [],
	passed: [],
	sandbox: null,
	disk: null,
	survivors: [],
	waiting: null,
	written: [],
	documents: [],
	questionFiles: [],
	questionErrors: {},
	found: null,
};

/** Returns the state at a time of the clock, which is so far ahead of the session's own; a time that nobody can tell changes nothing. */
export const withTime = (state: State, at: string, aheadMs: number): State =>
	isTime(Date.parse(at), aheadMs) ? {...state, at, aheadMs, awake: awakeAt(at, aheadMs)} : state;

/** Outside of these years times in their one form don't sort as they follow each other. */
const isTime = (ms: number, aheadMs: number): boolean =>
	Math.min(ms, ms - aheadMs) >= earliestMs && Math.max(ms, ms - aheadMs) < latestMs;

const earliestMs = Date.UTC(1000);
const latestMs = Date.UTC(9999);

/** Returns the state with one agent replaced; an unknown id changes nothing. */
export const withAgent = (state: State, id: string, change: (agent: Agent) => Agent): State => ({
	...state,
	agents: state.agents.map(agent => (agent.id === id ? change(agent) : agent)),
});

/** Returns the state with one more agent; an id that is taken already changes nothing. */
export const withNewAgent = (state: State, agent: Agent): State =>
	state.agents.some(({id}) => id === agent.id)
		? state
		: {...state, agents: [...state.agents, agent]};

/** Returns the state with one more item, under the next id of its kind. */
export const withItem = (state: State, detail: ItemDetail): State => {
	const prefix = itemPrefix[detail.kind];
	const number = (state.counts[prefix] ?? 0) + 1;
	const id = itemId(detail.kind, number);
	return {
		...state,
		counts: {...state.counts, [prefix]: number},
		items: withPlaced(state.items, {...detail, id, number, opened: state.at}),
	};
};

/** Returns the state with the open items of a kind that match replaced. */
export const withItemsOf = <K extends Kind>(
	state: State,
	kind: K,
	isMeant: (item: ItemOf<K>) => boolean,
	change: (item: ItemOf<K>) => Item,
): State => ({
	...state,
	items: state.items.map(item => (isOfKind(item, kind) && isMeant(item) ? change(item) : item)),
});

export const withoutItems = (state: State, gone: (item: Item) => boolean): State => ({
	...state,
	items: state.items.filter(item => !gone(item)),
});

/** Returns the state in which no effect of an agent has failed yet. */
export const withoutAttempts = (state: State, agent: string): State => ({
	...state,
	attempts: state.attempts.filter(({effect}) => !('agent' in effect && effect.agent === agent)),
});

/** Returns the state in which one effect has not failed yet: it may be tried again, as often as before. */
export const withoutAttempt = (state: State, effect: EffectKey): State => ({
	...state,
	attempts: state.attempts.filter(attempt => !isSame(attempt.effect, effect)),
});

/** Returns how often an effect has failed, if it has. */
export const attemptOf = (state: State, effect: EffectKey): Attempt | undefined =>
	state.attempts.find(attempt => isSame(attempt.effect, effect));

export const hasPassed = (state: State, deadline: Deadline): boolean =>
	state.passed.some(passed => isSame(passed, deadline));

/** A leave for the rest of a session: commands of that pattern are not asked about any more. */
export type CommandLeave = {
	readonly id: string;
	/** Words that a plain command begins with and a `*` for any further ones, or all words of the one command. */
	readonly pattern: string;
	/** The agent that has it; null for all of them. */
	readonly agent: string | null;
};

/** Two sides whose work was compared while they were at it, with what blocks a merge of the two, notes on it, and what could not be read. */
export type ComparedPair = {
	/** An agent's id. */
	readonly a: string;
	/** An agent's id, or `target`. */
	readonly b: string;
	readonly findings: readonly Finding[];
	/** How many more block than are kept. */
	readonly more: number;
	/** Files that only git compared, and why. */
	readonly unread: readonly UnreadFiles[];
	/** Findings that each agent was told of, by key. */
	readonly notified: readonly {readonly agent: string; readonly key: string}[];
};

/** A limit of a login: until it resets, no turn of an agent that works with that login begins. */
export type LoginLimit = {
	/** As a person knows it: `5-hour limit of Claude`. */
	readonly title: string;
	/** The time from which on it is tried again; by the clock, since a limit resets while the machine sleeps. */
	readonly until: string;
	/** The reset time is unknown: `until` is only the next try. */
	readonly isUnknown?: true;
	/** It holds for the model of that agent alone. */
	readonly ofModel?: true;
	/** The agent that met it. */
	readonly agent: string;
	/** The agents that wait for it. */
	readonly holds: readonly string[];
};

/** Work that an agent was told to skip. */
export type Skipped = {
	readonly at: string;
	readonly agent: string;
	/** The item on which a person decided so. */
	readonly item: string;
	/** The skipped work, in the agent's words. */
	readonly what: string;
	readonly why: string;
	/** The person's note. */
	readonly note?: string;
};

/** Takes an agent out of the session, with all that it waits for. */
export const aborted = (state: State, id: string, why = 'aborted by a person'): State =>
	withAgent(
		withoutItems(state, item => agentOfItem(item) === id),
		id,
		agent => cancel(agent, why),
	);
