import {counted} from '../../lib/text/words.ts';
import {whyNot} from '../../rules/commands/why-not.ts';
import {grantable} from '../../state/granted.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import {notLive} from '../model/open-item.ts';
import {type Action, type Context, confirming, type WorkPart} from '../model/view.ts';
import {hasDiff} from '../screens/item-layout.ts';
import {partKey, shownPart} from '../screens/items/work/work.ts';

/** Returns the agent whose work is on the screen. */
export const workHere = ({model: {state}, view: {place}}: Context): string | undefined => {
	if (place.at === 'agent') {
		return place.show === 'work' ? place.agent : undefined;
	}

	const item = place.at === 'item' ? itemOf(state, place.item) : undefined;
	return item === undefined || !hasDiff(item) || item.kind === 'approval' ? undefined : item.agent;
};

const part = (
	wanted: Exclude<WorkPart, 'all'>,
	words: Pick<Action, 'name' | 'keys' | 'label' | 'help'>,
): Action => ({
	...words,
	where: ['agent', 'item'],
	when: context => {
		const id = workHere(context);
		const {model, view} = context;
		return id !== undefined && partKey(model.state, id, {...view, part: wanted}) !== undefined;
	},
	run: ({view}) => ({
		...view,
		...{part: view.part === wanted ? 'all' : wanted, scroll: 0, file: undefined},
	}),
});

/** Returns the reverted changes on the screen that can be granted. */
export const grantableHere = (context: Context): readonly string[] => {
	const id = workHere(context);
	const {state} = context.model;
	const agent = id === undefined ? undefined : agentOf(state, id);
	return agent === undefined || shownPart(state, agent.id, context.view) !== 'reverted'
		? []
		: grantable(agent);
};

const grantOf = (context: Context) => ({
	agent: workHere(context) ?? '',
	order: {verb: 'grant', paths: grantableHere(context)} as const,
});

/** Returns paths in a form that fits into a question. */
const namesOf = (paths: readonly string[]): string =>
	paths.length <= 3 ? paths.join(', ') : counted(paths.length, 'file');

/** Actions that select a part of an agent's work, and that grant reverted changes. */
export const workParts: readonly Action[] = [
	part('new', {
		...{name: 'only-new', keys: ['s'], label: 'new'},
		help: 'switch between all of an agent’s work and what is new since its last checkpoint',
	}),
	part('unlooked', {
		...{name: 'only-unlooked', keys: ['S'], label: 'since I looked'},
		help: 'switch between all of an agent’s work and what is new since you last looked at it',
	}),
	part('reverted', {
		...{name: 'only-reverted', keys: ['R'], label: 'reverted'},
		help: 'switch between an agent’s work and the changes outside its scope that were reverted',
	}),
	{
		...{name: 'grant', keys: ['+'], label: 'grant'},
		help: 'let it write there after all: the reverted changes on the screen are restored',
		where: ['agent', 'item'],
		when: context => grantableHere(context).length > 0,
		whyNot: context =>
			notLive(context) ?? whyNot(context.model.state, {kind: 'steer', ...grantOf(context)}),
		run: context => {
			const {agent, order} = grantOf(context);
			return confirming(
				context.view,
				`Let ${agent} write ${namesOf(order.paths)} after all? Its changes there are restored.`,
				{
					do: 'ask',
					request: {do: 'steer', agent, order},
					done: `${agent} may write it; its reverted changes are restored once its turn is over`,
				},
			);
		},
	},
];
