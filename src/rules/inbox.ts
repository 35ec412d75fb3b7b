import type {Environments} from '../events/plan.ts';
import {defined} from '../lib/values.ts';
import {agentOfItem, type Item, type ItemOf, type Kind} from '../state/item.ts';
import type {DetailOf} from '../state/items.ts';
import {kindOf} from '../state/items.ts';
import {rivalsWithSpent} from '../state/rivals/rivals-detail.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {choicesOf} from './commands/choices.ts';
import {itemContextIn} from './commands/read-decision.ts';
import {valuesToShow} from './plan/profile.ts';
import type {Spent} from './report/agent-report.ts';

/** The items of one kind, or of any, as readers show them; `DESIGN §5, inbox --json`. */
export type InboxItem<K extends Kind = Kind> = {
	[P in K]: Heading & {readonly kind: P} & Shown & DetailOf<P>;
}[K];

type Heading = {readonly id: string; readonly agent?: string};

/** Fields that readers get for every kind. */
type Shown = {
	readonly title: string;
	readonly free: boolean;
	readonly choices: readonly ShownChoice[];
};

/** A way to decide an item, in the words in which it is typed. */
export type ShownChoice = {
	readonly choice: string;
	readonly label: string;
	readonly whyNot?: string;
};

/** Returns everything that waits for a person: what is urgent first, then what an agent waits for, then the work of who has finished; of each the oldest first, and what was put off behind all that waited then. */
export const inbox = (state: State): readonly InboxItem[] =>
	shownItems(state).map(item => inboxItem(state, item));

/** Returns the items that readers show: a checkpoint together with what git says of it, once its own snapshot is taken, or a full disk keeps it waiting. */
export const shownItems = (state: State): readonly Item[] =>
	state.items.filter(item => !isArriving(state, item));

const isArriving = (state: State, item: Item): boolean =>
	item.kind === 'checkpoint' &&
	state.disk?.level !== 'full' &&
	agentOf(state, item.agent)?.wanted.includes(item.snapshot) === true;

/** Returns an item with what rivals have spent, which stands in no event. */
export const withSpent = (
	item: InboxItem,
	spentBy: (agent: string) => Spent | undefined,
): InboxItem =>
	(item.kind === 'review' || item.kind === 'failure') && item.rivals !== undefined
		? {...item, rivals: rivalsWithSpent(item.rivals, spentBy)}
		: item;

/** Returns a plan's item with the values that it sets, which stand in no event. */
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
