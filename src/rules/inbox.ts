import type {Environments} from '../events/plan.ts';
import {defined} from '../lib/values.ts';
import {agentOfItem, type Item, type ItemOf, type Kind} from '../state/item.ts';
import {type DetailOf, kindOf} from '../state/items.ts';
import {rivalsWithSpent} from '../state/rivals/rivals-detail.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {choicesOf, type OfferedChoice} from './commands/choices.ts';
import {itemContextIn} from './commands/read-decision.ts';
import {valuesToShow} from './plan/profile.ts';
import type {Spent} from './report/agent-report.ts';

/** The items of one kind, or of any, as the inbox shows them; `DESIGN §5, inbox --json`. */
export type InboxItem<K extends Kind = Kind> = {
	[P in K]: Heading & {readonly kind: P} & Shown & DetailOf<P>;
}[K];

type Heading = {readonly id: string; readonly agent?: string};

/** Fields of every kind. */
type Shown = {
	readonly title: string;
	readonly free: boolean;
	readonly choices: readonly ShownChoice[];
};

/** A choice of an item, with the words to type. */
export type ShownChoice = Pick<OfferedChoice, 'choice' | 'label' | 'whyNot'>;

/** Returns the items that wait for a person: urgent ones, then those that an agent waits for, then finished work; oldest first, and snoozed ones behind all that waited at that time. */
export const inbox = (state: State): readonly InboxItem[] =>
	shownItems(state).map(item => inboxItem(state, item));

/** Returns the items to show: a checkpoint only once its snapshot is taken, so that git's view of it comes along, or if a full disk delays the snapshot. */
export const shownItems = (state: State): readonly Item[] =>
	state.items.filter(item => !isArriving(state, item));

const isArriving = (state: State, item: Item): boolean =>
	item.kind === 'checkpoint' &&
	state.disk?.level !== 'full' &&
	agentOf(state, item.agent)?.wanted.includes(item.snapshot) === true;

/** Adds the usage of rivals to an item, which is in no event. */
export const withSpent = (
	item: InboxItem,
	spentBy: (agent: string) => Spent | undefined,
): InboxItem =>
	(item.kind === 'review' || item.kind === 'failure') && item.rivals !== undefined
		? {...item, rivals: rivalsWithSpent(item.rivals, spentBy)}
		: item;

/** Adds the values of the environment to a plan's item, which are in no event. */
export const withValues = (item: InboxItem, environments: Environments): InboxItem =>
	item.kind === 'plan' && item.plan !== undefined
		? {...item, sets: valuesToShow(item.plan.agents, environments)}
		: item;

const inboxItem = <K extends Kind>(state: State, item: ItemOf<K>): InboxItem<K> => {
	const kind = kindOf<K>(item);
	const shown: Heading & Shown & {readonly kind: K} = {
		id: item.id,
		kind: item.kind,
		...defined({agent: agentOfItem(item)}),
		title: kind.title(state, item),
		free: kind.takesAnyText(item),
		choices: choicesOf<K>(state, item).map(({choice, label, whyNot}) => ({
			choice,
			label,
			...defined({whyNot}),
		})),
	};
	return {...shown, ...kind.detail(state, item, itemContextIn(state))};
};
