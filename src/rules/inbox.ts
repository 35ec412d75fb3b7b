import {defined} from '../lib/defined.ts';
import type {ItemOf, Kind} from '../state/item.ts';
import {kindOf} from '../state/items.ts';
import {agentOfItem} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {choicesOf} from './commands/choices.ts';
import {freePlaces} from './effects/places.ts';

/** An item as readers show it; `DESIGN §5, inbox --json`. */
export type InboxItem = {
	readonly id: string;
	readonly kind: Kind;
	readonly agent?: string;
	readonly title: string;
	readonly free: boolean;
	readonly choices: readonly {choice: string; label: string; whyNot?: string}[];
	readonly deadline?: string;
	readonly [field: string]: unknown;
};

/** Returns everything that waits for a person, oldest first, what was put off last. */
export const inbox = (state: State): readonly InboxItem[] =>
	state.items.map(item => ({
		id: item.id,
		kind: item.kind,
		...defined({agent: agentOfItem(item)}),
		...shownOf(state, item),
	}));

type Shown = Pick<InboxItem, 'title' | 'free' | 'choices'>;

const shownOf = <K extends Kind>(state: State, item: ItemOf<K>): Shown => {
	const kind = kindOf<K>(item);
	return {
		title: kind.title(state, item),
		free: kind.takesAnyText(item),
		choices: choicesOf(state, item).map(({choice, label, whyNot}) => ({
			choice,
			label,
			...defined({whyNot}),
		})),
		...kind.detail(state, item, freePlaces(state)),
	};
};
