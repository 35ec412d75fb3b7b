import {awakeFor} from '../events/deadline.ts';
import type {NotifyPreferences} from '../events/settings.ts';
import {formatDuration} from '../lib/text/duration.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {counted, firstLine, firstOf, valueText} from '../lib/text/words.ts';
import {measuredBy} from '../state/agent/awaiting.ts';
import {agentOfItem, type Item, type ItemOf, type Kind} from '../state/item.ts';
import {waitFor, waitText} from '../state/items/question/wait.ts';
import {kindNames, kindOf} from '../state/items.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {shownItems} from './inbox.ts';
import {outerId} from './question-record.ts';

/** Occasion of a notification: a kind of item, or the end of the session. */
export type Occasion = Kind | 'ended';

export type Notification = {
	readonly occasion: Occasion;
	/** Title in one line. */
	readonly title: string;
	/** Subject, and the command that answers it; safe for a terminal. */
	readonly text: string;
	/** The whole notification in one line, for lists of several. */
	readonly brief: string;
	/** True if a desktop shows it until it is dismissed. */
	readonly urgent: boolean;
};

/** Returns notifications of the items that are new between two states of a session, oldest first. */
export const notificationsSince = (before: State, after: State): readonly Notification[] => {
	const known = new Set(shownItems(before).map(({id}) => id));
	const ended = after.session?.ended;
	return [
		...shownItems(after)
			.filter(({id}) => !known.has(id))
			.map(item => ofItem(after, item)),
		...(ended !== undefined && before.session?.ended === undefined
			? [
					{
						occasion: 'ended' as const,
						title: 'delegate-tui: the session has ended',
						text: sanitize(ended.why),
						brief: 'the session has ended',
						urgent: false,
					},
				]
			: []),
	];
};

/** Merges notifications that come together into one; returns nothing for none. */
export const asOne = (notifications: readonly Notification[]): Notification | undefined => {
	const [first] = notifications;
	if (first === undefined || notifications.length === 1) {
		return first;
	}

	return {
		occasion: first.occasion,
		title: `delegate-tui: ${notifications.length} things need you`,
		text: [
			...notifications.slice(0, mostNamed).map(({brief}) => brief),
			...(notifications.length > mostNamed ? [`and ${notifications.length - mostNamed} more`] : []),
			'delegate-tui inbox',
		].join('\n'),
		brief: notifications.map(({brief}) => brief).join('; '),
		urgent: notifications.some(({urgent}) => urgent),
	};
};

/** Maximum number of items in a notification: a desktop shows few lines and cuts the rest. */
const mostNamed = 4;

export const isWanted = ({kinds}: NotifyPreferences, {occasion}: Notification): boolean =>
	kinds === undefined || kinds.includes(occasion);

const ofItem = (state: State, item: Item): Notification => {
	const agent = agentOfItem(item);
	const subject = sanitize(kindOf(item).title(state, item));
	return {
		occasion: item.kind,
		title: `delegate-tui: ${kindOf(item).called}${agent === undefined ? '' : ` from ${agent}`}`,
		text: [
			subject,
			...(item.kind === 'review' ? workLines(state, item.agent) : []),
			`delegate-tui answer ${item.id}`,
			...(item.kind === 'question' ? [...fileLine(state, item), waitLine(state, item)] : []),
		].join('\n'),
		brief: [item.id, ...(agent === undefined ? [] : [agent]), firstLine(subject, 60)].join(' '),
		urgent: item.kind === 'question' && item.question.urgent === true,
	};
};

/** Returns a finished agent's results, its metrics beside the wanted ones, and its recommendations, a line each. */
const workLines = (state: State, id: string): readonly string[] => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return [];
	}

	const claims = agent.snapshots.at(-1)?.claims ?? [];
	const found = claims.filter(({holds}) => holds).map(({claim}) => claim);
	const missing = claims.length - found.length;
	const said = claims.length === 0 ? (agent.report?.deliverables ?? []) : [];
	const {metrics} = agent.subtask;
	const lines = [
		[
			...(found.length === 0 ? [] : [`delivered: ${someOf(found)}`]),
			...(said.length === 0 ? [] : [`it says it delivered ${someOf(said)}`]),
			...(missing === 0 ? [] : [`${counted(missing, 'claim')} wrong`]),
		].join(', '),
		...(metrics.length === 0
			? []
			: [
					`it measured ${valueText(measuredBy(agent) ?? 'nothing')}`,
					`wanted: ${firstOf(metrics, 1)}`,
				]),
		(agent.report?.recommendations ?? [])
			.slice(0, 1)
			.map(words => `next: ${words}`)
			.join(''),
	];
	return lines.filter(line => line !== '').map(line => firstLine(sanitize(line), 60));
};

const someOf = (paths: readonly string[]): string =>
	paths.length > 2
		? `${paths.slice(0, 2).join(', ')} and ${paths.length - 2} more`
		: paths.join(', ');

/** Returns the line with the file in which a question can be answered without this program. */
const fileLine = (state: State, item: ItemOf<'question'>): readonly string[] => {
	const home = state.session?.settings.questionsHome;
	return home === undefined ? [] : [sanitize(`${home}/answers/${outerId(state, item)}.txt`)];
};

/** Returns the line about the wait: the agent stops waiting then, but the question stays open, so a late answer loses nothing. */
const waitLine = (state: State, item: ItemOf<'question'>): string => {
	const wait = waitFor(state, item);
	return wait.how === 'until'
		? waitText(wait.how, `for ${formatDuration(awakeFor(state.awake, wait.at))}`)
		: waitText(wait.how);
};

export const occasions: readonly Occasion[] = [...kindNames, 'ended'];
