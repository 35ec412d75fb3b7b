import {expect} from 'vitest';
import type {Event} from '../../src/events/event.ts';
import type {InboxItem} from '../../src/rules/inbox.ts';

/** An item that a person was shown, and the event of their choice. */
export type Shown = {readonly item: InboxItem; readonly event: Event};

type EventOf<Kind extends Event['kind']> = Extract<Event, {kind: Kind}>;

/** Expects that an agent got a reply, unless it had finished, or a later decision made it obsolete. */
export const expectDelivered = (
	{item, event: decided}: Shown,
	all: Iterable<Shown>,
	events: readonly Event[],
): void => {
	const {agent, id, kind} = item;
	if (agent === undefined || decided.kind !== 'user.decided' || !isReply(kind, decided.choice)) {
		return;
	}

	const isDelivered = events.some(
		event =>
			(event.kind === 'turn.started' || event.kind === 'reply.delivered') &&
			event.agent === agent &&
			event.items.includes(id),
	);
	const others = [...all].filter(other => other.item.agent === agent);
	const isOver = others.some(other =>
		other.event.seq < decided.seq
			? isLastWord(other) && !isStartedBetween(events, agent, other.event, decided)
			: isLastWord(other) || (kind === 'review' && isAnotherReview(other, decided)),
	);
	const isTold = isDelivered || isOver || isOut(events, agent, kind === 'review' ? 0 : decided.seq);
	expect(isTold, where(decided, `${agent} was told`)).toBe(true);
};

/** Returns whether a person ended an agent's work as it is, with replies still pending. */
const isLastWord = ({item, event}: Shown): boolean =>
	event.kind === 'user.decided' &&
	[
		'checkpoint merge',
		'limit complete',
		'failure salvage',
		'failure abandon',
		'failure redistribute',
	].includes(`${item.kind} ${event.choice}`);

/** Returns whether an undeliverable reply opened another review. */
const isAnotherReview = ({item, event}: Shown, decided: Event): boolean =>
	item.kind === 'review' && event.seq > decided.seq;

const isStartedBetween = (
	events: readonly Event[],
	agent: string,
	from: Event,
	to: Event,
): boolean =>
	events
		.slice(from.seq, to.seq)
		.some(event => event.kind === 'turn.started' && event.agent === agent);

/** Returns whether an agent was taken out of the session, or had finished, before a moment. */
const isOut = (events: readonly Event[], agent: string, moment: number): boolean => {
	const moves = events.filter(isMoveOf(agent));
	return (
		moves.some(({to}) => to === 'ABORTED') ||
		moves.findLast(({seq}) => seq < moment)?.to === 'COMPLETE'
	);
};

const isMoveOf =
	(agent: string) =>
	(event: Event): event is EventOf<'agent.moved'> =>
		event.kind === 'agent.moved' && event.agent === agent;

const isReply = (kind: InboxItem['kind'], choice: string): boolean => {
	switch (kind) {
		case 'question':
			return choice !== 'snooze';
		case 'checkpoint':
			return ['continue', 'help'].includes(choice) || choice.startsWith('restore:');
		case 'blocker':
			return !['abort', 'run', 'cancel'].includes(choice);
		case 'scope':
			return choice !== 'abort';
		case 'delegation':
			return true;
		case 'review':
			return choice === 'feedback';
		default:
			return false;
	}
};

/** Returns a message about the event that broke a promise. */
export const where = ({seq, kind}: Event, promise: string): string =>
	`${promise}: event ${seq}, ${kind}`;
