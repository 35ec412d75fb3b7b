import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {inbox} from '../../rules/inbox.ts';
import type {Item} from '../../state/item.ts';
import {checkedIn} from '../../state/items/conflict/outcome-check.ts';
import {agentOfItem} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import type {Decision} from './scene.ts';
import {wrap} from './story/page.ts';
import type {Stage} from './story/stage.ts';

/** Hands out the decisions of a script. */
export type Script = {
	/**
	Returns the decision on an item, each one once; nothing while the person would still wait.

	@throws `Failure` of kind `refused` when the script has none.
	*/
	readonly next: (item: Item, state: State) => Decision | undefined;
	/** Whether the script has a further decision for such an item. */
	readonly hasMore: (item: Item) => boolean;
};

export const createScript = (decisions: readonly Decision[]): Script => {
	const open = [...decisions];
	const isFor = (item: Item) => (decision: Decision) =>
		decision.kind === item.kind && decision.agent === agentOfItem(item);
	return {
		hasMore: item => open.some(isFor(item)),
		next: (item, state) => {
			const position = open.findIndex(isFor(item));
			const decision = open[position];
			if (!decision) {
				throw new Failure(
					'refused',
					`The story took another turn: nobody wrote down what to do about ${item.id}.`,
					{hint: 'what happened is shown above'},
				);
			}

			if (decision.when?.(state) === false) {
				return;
			}

			open.splice(position, 1);
			return decision;
		},
	};
};

/** Returns the choices that an item offers, as lines. */
export const offerLines = (state: State, {id}: Item): readonly string[] => {
	const choices = inbox(state).find(item => item.id === id)?.choices ?? [];
	const width = Math.max(...choices.map(({choice}) => choice.length));
	return [
		'  You can say:',
		...choices.map(({choice, label}) =>
			choice === label ? `    ${choice}` : `    ${choice.padEnd(width)}  ${label}`,
		),
	];
};

/** Returns a decision, its reason and the command that says the same, as lines. */
export const decisionLines = ({id}: Item, {choice, note, why}: Decision): readonly string[] => [
	`  → ${choice}`,
	...wrap(why, '    '),
	`    $ delegate-tui answer ${id} ${typed(choice)}${note === undefined ? '' : ' \\'}`,
	...(note === undefined ? [] : [`        --note "${note}"`]),
];

/** A choice whose result is to be checked is typed like a look at it. */
const typed = (choice: string): string => {
	const checked = checkedIn(choice);
	return checked ? `${checked} --preview --verify` : choice;
};

/** Takes a decision over the socket, as the demo's person. */
export const decide = async (
	{here}: Stage,
	{id}: Item,
	{choice, note}: Decision,
): Promise<void> => {
	await askSupervisor(here, {do: 'decide', item: id, choice, by: 'demo', ...defined({note})});
};
