import {type Awake, awakeAt, type Deadline} from '../events/deadline.ts';
import type {EffectKey} from '../events/effect-key.ts';
import type {BodyOf} from '../events/event.ts';
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
import {agentOfItem, type Item, type ItemDetail, itemId, itemPrefix, withPlaced} from './item.ts';
import type {CheckedTree, Intent, Merge, Publication, Resolution} from './merge/merge.ts';

export type Session = Omit<BodyOf<'session.started'>, 'kind'> & {
	readonly startedAt: string;
	/** Last known tip of the target. */
	readonly tip: string;
	/** Commit at which our last move left the target, if any: agents that have not begun start there instead of at the base. */
	readonly start?: string;
	/** Our commits that the target got. */
	readonly ours: readonly string[];
	readonly approved: boolean;
	/** Status with which the session will end, once a person asked to stop. */
	readonly stopping?: 'COMPLETE' | 'ABORTED';
	readonly ended?: {
		readonly status: 'COMPLETE' | 'ABORTED';
		readonly why: string;
		readonly at: string;
	};
};

/** Number of failures of an effect, so that a failing one can't loop. */
export type Attempt = Omit<BodyOf<'effect.failed'>, 'kind'> & {
	readonly count: number;
	readonly at: Awake;
};

/** Findings of a supervisor that started after a crash. */
type Found = RestartFinding & {readonly at: string};

type Survivor = SurvivingProcess & {readonly agent: string | null};

/** State of a session; only `apply` makes one. */
export type State = {
	readonly seq: number;
	readonly at: string;
	/** Lead of the clock over the session's own time, in milliseconds. */
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
	/** Number of items that each prefix ever had. */
	readonly counts: Readonly<Record<string, number>>;
	readonly merge: Merge;
	/** Results of the last checks by tree, so that no tree is checked twice. */
	readonly checkedTrees: readonly CheckedTree[];
	readonly resolutions: readonly Resolution[];
	/** Commit message that a person wrote for the merge of these agents; null for the default message. */
	readonly message: {readonly agents: readonly string[]; readonly text: string} | null;
	/** Agents for whose result a person had the types checked beyond the limit, until one's work changes. */
	readonly allTypesOf: readonly string[] | null;
	/** Findings of the last comparison of agents' work; pairs without a finding are left out. */
	readonly compared: readonly ComparedPair[];
	/** Published results, oldest first, with whether they stand. */
	readonly publications: readonly Publication[];
	/** Interrupted moves of the target, until one completes. */
	readonly interrupted: readonly Intent[];
	/** Reason why their remains can't be cleared, until an event may have changed that. */
	readonly notCleared: NotCleared | null;
	/** Digest of the person's git settings, as they last accepted them. */
	readonly agreedSettings: string | null;
	/** Work that agents were told to skip, oldest first. */
	readonly skipped: readonly Skipped[];
	/** Failed effects, without duplicates. */
	readonly attempts: readonly Attempt[];
	readonly passed: readonly Deadline[];
	readonly sandbox: Sandbox | null;
	/** Last report on the disk; null while there is enough space. */
	readonly disk: (Omit<BodyOf<'machine.disk'>, 'kind'> & {readonly since: Awake}) | null;
	readonly survivors: readonly Survivor[];
	/** A slow git process in the person's repository, if any. */
	readonly waiting: SlowGit | null;
	/** Files of the person's checkout that were written while agents were working, since the last merge. */
	readonly written: readonly string[];
	/** Reasons why documents in the person's checkout can't be written. */
	readonly documents: readonly string[];
	/** Reasons why files of questions and answers can't be read or written. */
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

/** Returns the state at a clock time, with the clock's lead over the session's own time; an invalid time is ignored. */
export const withTime = (state: State, at: string, aheadMs: number): State =>
	isTime(Date.parse(at), aheadMs) ? {...state, at, aheadMs, awake: awakeAt(at, aheadMs)} : state;

/** Returns whether a time has a year of four digits, so that ISO strings sort by time. */
const isTime = (ms: number, aheadMs: number): boolean =>
	Math.min(ms, ms - aheadMs) >= earliestMs && Math.max(ms, ms - aheadMs) < latestMs;

const earliestMs = Date.UTC(1000);
const latestMs = Date.UTC(9999);

/** Changes one agent; an unknown id is ignored. */
export const withAgent = (state: State, id: string, change: (agent: Agent) => Agent): State => ({
	...state,
	agents: state.agents.map(agent => (agent.id === id ? change(agent) : agent)),
});

/** Adds an agent; an id in use is ignored. */
export const withNewAgent = (state: State, agent: Agent): State =>
	state.agents.some(({id}) => id === agent.id)
		? state
		: {...state, agents: [...state.agents, agent]};

/** Adds an item, with the next id of its kind. */
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

/** Replaces an open item by another version of it. */
export const withReplaced = (state: State, item: Item): State => ({
	...state,
	items: state.items.map(open => (open.id === item.id ? item : open)),
});

export const withoutItems = (state: State, gone: (item: Item) => boolean): State => ({
	...state,
	items: state.items.filter(item => !gone(item)),
});

/** Forgets all failures of an agent's effects. */
export const withoutAttempts = (state: State, agent: string): State => ({
	...state,
	attempts: state.attempts.filter(({effect}) => !('agent' in effect && effect.agent === agent)),
});

/** Forgets the failures of an effect: it may be tried again, as often as before. */
export const withoutAttempt = (state: State, effect: EffectKey): State => ({
	...state,
	attempts: state.attempts.filter(attempt => !isSame(attempt.effect, effect)),
});

export const attemptOf = (state: State, effect: EffectKey): Attempt | undefined =>
	state.attempts.find(attempt => isSame(attempt.effect, effect));

export const hasPassed = (state: State, deadline: Deadline): boolean =>
	state.passed.some(passed => isSame(passed, deadline));

/** A permission for the rest of a session: commands of that pattern need no further one. */
export type CommandLeave = {
	readonly id: string;
	/** First words of a plain command with a `*` for any further ones, or all words of one command. */
	readonly pattern: string;
	/** Agent that has it; null for all agents. */
	readonly agent: string | null;
};

/** Two sides that were compared while they were working, with blocking findings, notes, and files that could not be read. */
export type ComparedPair = Omit<BodyOf<'work.compared'>, 'kind'> &
	Required<Pick<BodyOf<'work.compared'>, 'unread' | 'unchecked'>> & {
		/** Findings of which each agent was told, by key. */
		readonly notified: readonly {readonly agent: string; readonly key: string}[];
	};

/** A limit of a login: until it resets, no agent with that login starts a turn. */
export type LoginLimit = {
	/** Name for people: `5-hour limit of Claude`. */
	readonly title: string;
	/** Time of the next try, by the clock, since a limit resets while the machine sleeps. */
	readonly until: string;
	/** The reset time is unknown: `until` is only the next try. */
	readonly isUnknown?: true;
	/** True if it holds only for the model of that agent. */
	readonly ofModel?: true;
	readonly agent: string;
	readonly holds: readonly string[];
};

/** Work that an agent was told to skip. */
export type Skipped = {
	readonly at: string;
	readonly agent: string;
	/** Item on which a person decided so. */
	readonly item: string;
	/** Skipped work, in the agent's words. */
	readonly what: string;
	readonly why: string;
	readonly note?: string;
};

/** Takes an agent out of the session, with its open items. */
export const aborted = (state: State, id: string, why = 'aborted by a person'): State =>
	withAgent(
		withoutItems(state, item => agentOfItem(item) === id),
		id,
		agent => cancel(agent, why),
	);
