import type {NotifyWishes} from '../events/notify-wishes.ts';
import {formatDuration} from '../lib/text/duration.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import type {Item, Kind} from '../state/item.ts';
import {kindOf} from '../state/items.ts';
import {agentOfItem} from '../state/select.ts';
import type {State} from '../state/state.ts';

/** What a notification is about: something that waits for a person, or the end of the session. */
export type Occasion = Kind | 'ended';

/** Something that calls a person away from whatever else they do. */
export type Notification = {
	readonly occasion: Occasion;
	/** One line. */
	readonly title: string;
	/** What it is about, and how to answer from anywhere; safe for a terminal. */
	readonly text: string;
	/** Whether it rings in quiet hours, too. */
	readonly urgent: boolean;
};

/** Returns what has begun to need a person between two states of a session, oldest first. */
export const notificationsSince = (before: State, after: State): readonly Notification[] => {
	const known = new Set(before.items.map(({id}) => id));
	const ended = after.session?.ended;
	return [
		...after.items.filter(({id}) => !known.has(id)).map(item => ofItem(after, item)),
		...(ended !== undefined && before.session?.ended === undefined
			? [
					{
						occasion: 'ended' as const,
						title: 'delegate-tui: the session has ended',
						text: sanitize(ended.why),
						urgent: false,
					},
				]
			: []),
	];
};

/** Returns several notifications as one, since what comes together should call once; nothing for none. */
export const asOne = (notifications: readonly Notification[]): Notification | undefined => {
	const [first] = notifications;
	if (first === undefined || notifications.length === 1) {
		return first;
	}

	return {
		occasion: first.occasion,
		title: `delegate-tui: ${notifications.length} things need you`,
		text: notifications.map(({title}) => title.replace(/^delegate-tui: /, '')).join('\n'),
		urgent: notifications.some(({urgent}) => urgent),
	};
};

/** Returns whether a person wants to be called for something, at so many minutes after their midnight. */
export const isWanted = (
	{kinds, quiet}: NotifyWishes,
	{occasion, urgent}: Notification,
	minute: number,
): boolean =>
	(kinds === undefined || kinds.includes(occasion)) &&
	(urgent || quiet === undefined || !isWithin(quiet, minute));

/** Quiet hours may go on behind midnight. */
const isWithin = ({from, to}: NonNullable<NotifyWishes['quiet']>, minute: number): boolean =>
	from <= to ? from <= minute && minute < to : from <= minute || minute < to;

const ofItem = (state: State, item: Item): Notification => {
	const agent = agentOfItem(item);
	return {
		occasion: item.kind,
		title: `delegate-tui: ${headings[item.kind]}${agent === undefined ? '' : ` from ${agent}`}`,
		text: [
			sanitize(kindOf(item).title(state, item)),
			`delegate-tui answer ${item.id}`,
			...(item.kind === 'question' ? [waitText(item.deadline, state.at)] : []),
		].join('\n'),
		urgent: item.kind === 'question' && item.question.urgent === true,
	};
};

/** The agent lets go then and the question stays, so nothing is lost by being late. */
const waitText = (deadline: string, now: string): string => {
	const leftMs = Date.parse(deadline) - Date.parse(now);
	return leftMs > 0
		? `it waits ${formatDuration(leftMs)}, and is parked then until you answer`
		: 'it is parked until you answer';
};

const headings = {
	plan: 'a plan to approve',
	question: 'a question',
	checkpoint: 'a checkpoint',
	permission: 'a command that waits for leave',
	review: 'finished work',
	blocker: 'a blocker',
	delegation: 'work to hand on',
	scope: 'a wish for more scope',
	limit: 'a limit is reached',
	failure: 'a failure',
	conflict: 'a conflict',
	verify: 'the check failed',
	approval: 'a result to approve',
} as const satisfies Readonly<Record<Kind, string>>;

/** Everything that a notification can be about. */
export const occasions: readonly Occasion[] = [...(Object.keys(headings) as Kind[]), 'ended'];
