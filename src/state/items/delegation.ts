import {defined, folded} from '../../lib/values.ts';
import {withRequested} from '../agent/awaiting.ts';
import type {DelegationItem, ItemOf} from '../item.ts';
import {replied} from '../reply.ts';
import {agentOf} from '../select.ts';
import type {State} from '../state.ts';
import {type Given, itemKind, type Supplied} from './kind.ts';
import {whyNotJoin} from './offers.ts';

/** Returns reasons against another agent for a task, a sentence each. */
const delegationDoubts = (
	state: State,
	{id, agent, task}: ItemOf<'delegation'>,
): readonly string[] => {
	const asker = agentOf(state, agent);
	const isSame = (words: string): boolean => folded(words) === folded(task);
	const doing = state.agents.filter(
		({state, subtask}) => state !== 'ABORTED' && isSame(subtask.subtask),
	);
	const asked = state.items.filter(
		item => item.kind === 'delegation' && item.id !== id && isSame(item.task),
	);
	const wasRefused = [...(asker?.replies ?? []), ...(asker?.delivered ?? [])].some(
		({heading, about}) => heading === 'DELEGATION REJECTED' && isSame(about),
	);
	return [
		...doing.map(other =>
			other.id === agent
				? `That is its whole subtask.`
				: `${other.id} is doing that, or has done it.`,
		),
		...asked.map(item => `${item.id} asks for the same.`),
		...(wasRefused ? ['A person has refused it before.'] : []),
	];
};

/** Returns the chain of agents that handed work on, down to this one. */
const chainTo = (state: State, id: string): readonly string[] => {
	const by = agentOf(state, id)?.requestedBy;
	return by === undefined ? [id] : [...chainTo(state, by), id];
};

const chainText = (state: State, agent: string): string => {
	const chain = chainTo(state, agent);
	return `The chain would be ${chain.length} deep, and ${deepest(state)} is the limit: ${[...chain, 'the new agent'].join(' › ')}.`;
};

/** Default maximum depth of delegation. */
const usualDepth = 3;

const deepest = ({session}: State): number => session?.settings.depth ?? usualDepth;

/** Assessment by the rules. */
export type DelegationDetail = Pick<DelegationItem, 'coordination'> & {
	/** True if nothing speaks against the delegation; otherwise `doubts` or `depth` gives the reason. */
	readonly justified: boolean;
	readonly doubts: readonly string[];
	/** Agents that handed work on, down to the one that asks. */
	readonly chain: readonly string[];
	/** Depth of this delegation, and the maximum. */
	readonly depth: number;
	readonly deepest: number;
	/** True if the asking agent continues meanwhile. */
	readonly independent: boolean;
	readonly place_free: boolean;
	/** Agents that may write the same files, if the new one has the asking agent's scope. */
	readonly overlap: readonly string[];
};

export type DelegationChoice = {readonly verb: 'approve' | 'edit' | 'reject'};

export const delegation = itemKind<'delegation', DelegationChoice, DelegationDetail>({
	choices: {
		approve: {
			offer: {label: 'Add an agent for it'},
			whyNotWith: (state, item, supplied) => whyNotAdd(state, item, supplied),
			decided: (state, item, given) => approved(state, item, given),
		},
		edit: {
			offer: {label: 'Add an agent for your own subtask instead', note: 'required'},
			whyNotWith: (state, item, supplied) => whyNotAdd(state, item, supplied),
			decided: (state, item, given) => approved(state, item, given),
		},
		reject: {
			offer: {label: 'No; your note says why', note: 'optional'},
			decided: (state, item, {note}) =>
				replied(state, item, {
					heading: 'DELEGATION REJECTED',
					about: item.task,
					text: note ?? '',
				}),
		},
	},
	holdsUp: ({blocks}) => blocks,
	called: 'work to hand on',
	title: (_, {task}) => `Wants to delegate: ${task}`,
	detail: (state, item, {freeSlots, sharing}) => {
		const doubts = delegationDoubts(state, item);
		const chain = chainTo(state, item.agent);
		return {
			justified: doubts.length === 0 && chain.length <= deepest(state),
			doubts,
			chain,
			depth: chain.length,
			deepest: deepest(state),
			independent: !item.blocks,
			place_free: freeSlots > 0,
			overlap: sharing(item.agent),
			...defined({coordination: item.coordination}),
		};
	},
});

const whyNotAdd = (
	state: State,
	{agent, blocks}: ItemOf<'delegation'>,
	{subtask}: Supplied,
): string | undefined =>
	chainTo(state, agent).length > deepest(state)
		? `${chainText(state, agent)} Give it to an agent that is there already, or raise limits.depth.`
		: whyNotJoin(state, subtask, blocks ? agent : '');

/** Approves a delegation. The note of an edit is already in the new agent's subtask. */
const approved = (
	state: State,
	{id, agent, task, blocks, ...item}: ItemOf<'delegation'>,
	{subtask}: Given,
): State =>
	subtask === undefined
		? state
		: withRequested(
				state,
				{by: agent, waits: blocks, ...defined({coordination: item.coordination})},
				subtask,
				{item: id, heading: 'DELEGATION APPROVED', about: task, text: ''},
			);
