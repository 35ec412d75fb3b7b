import type {EventOf} from '../../events/event.ts';
import type {Allowance} from '../../events/plan.ts';
import {omit} from '../../lib/values.ts';
import type {Item} from '../item.ts';
import {agentOf, isGivenUp, itemsOf} from '../select.ts';
import {type State, withItem} from '../state.ts';
import type {Agent, Denial} from './agent.ts';

/** Maximum number of open requests of an agent: listing a home folder is denied once for each file in it. */
const mostOpen = 5;

/** Returns whether to ask a person about a denial: once, unless the access that they granted then is used up. */
export const isToAsk = (state: State, agent: Agent, {path, to}: Denial): boolean => {
	const open = itemsOf(state, agent.id).filter(isAccess);
	const known = [
		...open.flatMap(item => item.paths.map(path => ({path, to: item.access}))),
		...(agent.access ?? []),
	];
	return (
		agent.outcome === undefined &&
		!isGivenUp(agent) &&
		open.length < mostOpen &&
		!known.some(other => other.path === path && other.to === to)
	);
};

/** Returns whether an item asks the person about access that an agent was denied. */
export const isAccess = (
	item: Item,
): item is Extract<Item, {kind: 'scope'}> & {readonly access: Denial['to']} =>
	item.kind === 'scope' && item.access !== undefined;

export const accessDenied = (
	state: State,
	{agent: id, turn, path, to}: EventOf<'access.denied'>,
): State => {
	const agent = agentOf(state, id);
	const isWorking = agent?.turn.phase === 'live' && agent.turn.number === turn;
	return isWorking && isToAsk(state, agent, {path, to})
		? withItem(state, {kind: 'scope', agent: id, paths: [path], reason: '', access: to})
		: state;
};

/** Returns the access that an agent has besides the plan's. */
export const accessOf = ({access = []}: Agent): Required<Allowance> => {
	const granted = (to: Denial['to']) =>
		access.filter(one => one.to === to && one.granted !== 'never').map(({path}) => path);
	const isPath = (name: string) => name.startsWith('/');
	return {
		...{read: granted('read'), write: granted('write')},
		sockets: granted('connect').filter(isPath),
		hosts: granted('connect').filter(name => !isPath(name)),
	};
};

/** Returns an agent whose process was started with the first `used` of its grants; later grants are for its next process. */
export const withAccessUsed = ({access, ...agent}: Agent, used: number): Agent =>
	access === undefined
		? agent
		: {
				...agent,
				access: [
					...access
						.slice(0, used)
						.filter(({granted}) => granted !== 'once')
						.map(one => omit(one, 'isNew')),
					...access.slice(used),
				],
			};
