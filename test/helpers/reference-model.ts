import {expect} from 'vitest';
import type {Event} from '../../src/events/event.ts';
import type {InboxItem} from '../../src/rules/inbox.ts';
import {expectDelivered, type Shown, where} from './delivered.ts';

/** An independent model that reads the journal, remembers the items shown to a person, and knows no states and rules. */
export type ReferenceModel = {
	/** Records that a person was shown this item, and that their choice became this event. */
	readonly saw: (item: InboxItem, choice: string, decided: Event) => void;
	/** Reads further events, and fails if one breaks a promise. */
	readonly read: (events: readonly Event[]) => void;
	/** Fails if a person's decision is missing in the journal, or never reached its agent. */
	readonly finish: (events: readonly Event[]) => void;
};

type EventOf<Kind extends Event['kind']> = Extract<Event, {kind: Kind}>;
type Decided = EventOf<'user.decided'>;

type Result = {
	readonly built: EventOf<'merge.built'>;
	/** True if it passed its check, or a person continued nevertheless. */
	readonly isChecked: boolean;
	/** True if a person approved exactly this commit after that; an approval is valid for one try. */
	readonly isApproved: boolean;
};

type Told = {
	/** The items shown to a person when they decided, by the number of the event. */
	readonly shown: Map<number, Shown>;
	readonly agents: Map<string, Work>;
	isSemi: boolean;
	tip: string;
	result: Result | undefined;
	intended: EventOf<'merge.intended'> | undefined;
	/** Agents of the last publication. */
	merged: readonly string[];
};

type Work = {
	turn: number;
	isLive: boolean;
	snapshot: number;
	isComplete: boolean;
	/** The person's last word: the work is taken as it is, or sent back for a reason that only a person can dismiss. */
	word: 'none' | 'accepted' | 'reopened';
};

/** Returns a reference model of a session, which reads it from its first event on. */
export const referenceModel = (): ReferenceModel => {
	const told: Told = {
		shown: new Map(),
		agents: new Map(),
		isSemi: false,
		tip: '',
		result: undefined,
		intended: undefined,
		merged: [],
	};
	let count = 0;
	return {
		saw: (item, choice, event) => {
			expect(event).toMatchObject({kind: 'user.decided', item: item.id, choice, by: 'user'});
			told.shown.set(event.seq, {item, event});
		},
		read: events => {
			for (const event of events.slice(count)) {
				count++;
				expect(event.seq, 'numbers have no gaps').toBe(count);
				hear(told, event);
			}
		},
		finish: events => {
			for (const shown of told.shown.values()) {
				const {event} = shown;
				expect(events[event.seq - 1], 'what was decided is in the journal').toEqual(event);
				expectDelivered(shown, told.shown.values(), events);
			}
		},
	};
};

const hear = (told: Told, event: Event): void => {
	hearOfAgent(told, event);
	hearOfMerge(told, event);
	if (event.kind === 'session.started') {
		told.tip = event.base;
		told.isSemi = event.plan.supervision === 'semi-autonomous';
	} else if (event.kind === 'target.moved') {
		told.tip = event.to;
	} else if (event.kind === 'user.decided') {
		hearOfDecision(told, event);
	}
};

const hearOfAgent = (told: Told, event: Event): void => {
	switch (event.kind) {
		case 'turn.started': {
			const work = changing(told, event.agent);
			expect(work.isLive, where(event, 'one turn at a time')).toBe(false);
			expect(event.turn, where(event, 'turns count on')).toBe(work.turn + 1);
			Object.assign(work, {isLive: true, isComplete: false, turn: event.turn});
			break;
		}

		case 'turn.ended': {
			const work = workOf(told, event.agent);
			expect(work, where(event, 'it ran')).toMatchObject({isLive: true, turn: event.turn});
			work.isLive = false;
			break;
		}

		case 'snapshot.taken': {
			const work = workOf(told, event.agent);
			unbuild(told, event.agent);
			expect(event.number, where(event, 'snapshots count on')).toBe(work.snapshot + 1);
			work.snapshot = event.number;
			break;
		}

		case 'workspace.prepared':
			changing(told, event.agent);
			break;
		case 'snapshot.restored':
			// A restore under way when a person takes the work changes the worktree, not the accepted work.
			unbuild(told, event.agent);
			break;
		case 'agent.moved':
			workOf(told, event.agent).isComplete = event.to === 'COMPLETE';
			if (event.to === 'MERGED') {
				expect(told.merged, where(event, 'its work was published')).toContain(event.agent);
			}

			break;
		default:
			break;
	}
};

const workOf = ({agents}: Told, id: string): Work => {
	const work = agents.get(id) ?? {
		turn: 0,
		isLive: false,
		snapshot: 0,
		isComplete: false,
		word: 'none',
	};
	agents.set(id, work);
	return work;
};

/** Clears the person's word about an agent's work, which doesn't cover later changes; accepted work may still come to rest. */
const changing = (told: Told, id: string): Work => {
	const work = workOf(told, id);
	work.word = 'none';
	unbuild(told, id);
	return work;
};

const unbuild = (told: Told, id: string): void => {
	if (told.result?.built.agents.includes(id) === true && told.intended === undefined) {
		told.result = undefined;
	}
};

const hearOfMerge = (told: Told, event: Event): void => {
	switch (event.kind) {
		case 'merge.built':
			for (const id of event.agents) {
				expect(isAccepted(told, id), where(event, `${id} was accepted`)).toBe(true);
			}

			told.result = {built: event, isChecked: false, isApproved: false};
			break;
		case 'verify.ended':
			if (told.result?.built.commit === event.commit) {
				told.result = {...told.result, isChecked: event.ok};
			}

			break;
		case 'merge.intended':
			expect(event.from, where(event, 'the target stands there')).toBe(told.tip);
			expect(told.result, where(event, 'it was built there, checked, then approved')).toMatchObject(
				{
					built: {commit: event.commit, tip: event.from},
					isChecked: true,
					isApproved: true,
				},
			);
			told.result = told.result && {...told.result, isApproved: false};
			told.intended = event;
			break;
		case 'merge.refused':
			expect(told.intended?.commit, where(event, 'it was intended')).toBe(event.commit);
			told.intended = undefined;
			break;
		case 'merge.published':
			expect(told.intended, where(event, 'it was intended')).toMatchObject({
				commit: event.commit,
				from: event.from,
			});
			expect(event.agents, where(event, 'of the work that was built')).toEqual(
				told.result?.built.agents,
			);
			told.merged = event.agents;
			told.tip = event.commit;
			told.intended = undefined;
			told.result = undefined;
			break;
		default:
			break;
	}
};

/** Returns whether a person accepted the work as it is, or the plan does so for them. */
const isAccepted = (told: Told, id: string): boolean => {
	const {word, isComplete} = workOf(told, id);
	return word === 'accepted' || (told.isSemi && isComplete && word === 'none');
};

const hearOfDecision = (told: Told, event: Decided): void => {
	if (event.by === 'policy') {
		expect(told.isSemi, where(event, 'its plan has a policy')).toBe(true);
		expect(event.item, where(event, 'it may decide that')).toMatch(/^(?:cp|r)-/);
		return;
	}

	const item = told.shown.get(event.seq)?.item;
	switch (`${item?.kind} ${event.choice}`) {
		case 'review merge':
		case 'review merge-now':
		case 'review merge-all':
		case 'checkpoint merge':
		case 'failure salvage':
			workOf(told, item?.agent ?? '').word = 'accepted';
			break;
		case 'review feedback':
			changing(told, item?.agent ?? '');
			break;
		case 'verify accept':
			told.result = told.result && {...told.result, isChecked: true};
			break;
		case 'approval approve':
			if (item?.kind === 'approval' && told.result?.built.commit === item.commit) {
				told.result = told.result && {...told.result, isApproved: told.result.isChecked};
			}

			break;
		case 'approval reject':
			for (const id of told.result?.built.agents ?? []) {
				workOf(told, id).word = 'reopened';
			}

			told.result = undefined;
			break;
		default:
			break;
	}
};
