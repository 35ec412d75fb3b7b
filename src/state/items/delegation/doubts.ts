import {folded} from '../../../lib/folded.ts';
import type {ItemOf} from '../../item.ts';
import {agentOf} from '../../select.ts';
import type {State} from '../../state.ts';

/** Returns what speaks against handing a task on, in a sentence each; where nothing does, the rules call it justified. */
export const delegationDoubts = (
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
				? `That is all of its own subtask.`
				: `${other.id} does that, or has done it.`,
		),
		...asked.map(item => `${item.id} asks for the same.`),
		...(wasRefused ? ['A person said no to it before.'] : []),
		...(asker?.requestedBy === undefined
			? []
			: [`${agent} was itself added for work of ${asker.requestedBy}.`]),
	];
};
