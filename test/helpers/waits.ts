import type {Event} from '../../src/events/event.ts';
import {type InboxItem, inbox} from '../../src/rules/inbox.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {agentOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';
import type {JournalWatch, Seen} from './watch-journal.ts';

export type EventOf<Kind extends Event['kind']> = Extract<Event, {kind: Kind}>;

/** Functions with which a story waits for events, and reads past ones. */
export type Waits = {
	readonly until: JournalWatch['until'];
	readonly state: () => State;
	/** Returns the events of a kind that were written so far. */
	readonly events: <Kind extends Event['kind']>(kind: Kind) => readonly EventOf<Kind>[];
	/** Waits for the first event of a kind that matches, past or future. */
	readonly event: <Kind extends Event['kind']>(
		kind: Kind,
		matches?: (event: EventOf<Kind>) => boolean,
	) => Promise<EventOf<Kind>>;
	/** Waits for an agent to be in a state. */
	readonly agent: (id: string, state: Agent['state']) => Promise<Agent>;
	/** Waits for an item of the inbox. */
	readonly item: <K extends InboxItem['kind']>(
		kind: K,
		agent?: string,
	) => Promise<Extract<InboxItem, {kind: K}>>;
};

/** Returns a predicate for items of a kind. */
export const isOfKind =
	<K extends InboxItem['kind']>(kind: K) =>
	(item: InboxItem): item is Extract<InboxItem, {kind: K}> =>
		item.kind === kind;

/** Returns functions that wait for events of a journal. */
export const waitsOf = ({seen, until}: JournalWatch): Waits => ({
	until,
	state: () => seen().state,
	events: kind => ofKind(seen(), kind),
	event: (kind, matches = () => true) =>
		until(`an event ${kind}`, now => ofKind(now, kind).find(matches)),
	agent: (id, wanted) =>
		until(`${id} to be ${wanted}`, ({state}) => {
			const agent = agentOf(state, id);
			return agent?.state === wanted ? agent : undefined;
		}),
	item: (kind, agent) =>
		until(`an item ${kind} ${agent ?? ''}`, ({state}) =>
			inbox(state)
				.filter(isOfKind(kind))
				.find(item => agent === undefined || item.agent === agent),
		),
});

const ofKind = <Kind extends Event['kind']>({events}: Seen, kind: Kind): readonly EventOf<Kind>[] =>
	events.filter((event): event is EventOf<Kind> => event.kind === kind);
