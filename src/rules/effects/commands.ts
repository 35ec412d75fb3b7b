import {agentOf, isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {type Effect, keyed} from './effect.ts';
import {isPinned} from './retries.ts';

/** Returns the commands to run that people want for blocked agents, once its turn is over and what it did before is pinned: two must not write there at a time. */
export const commandEffects = (state: State): readonly Effect[] =>
	state.items.flatMap((item): readonly Effect[] => {
		const agent = item.kind === 'blocker' ? agentOf(state, item.agent) : undefined;
		if (
			item.kind !== 'blocker' ||
			item.command?.phase !== 'running' ||
			agent === undefined ||
			isLive(agent) ||
			!isPinned(state, agent)
		) {
			return [];
		}

		const {command, since} = item.command;
		return [{...keyed({do: 'run-command', agent: agent.id, item: item.id, since}), command}];
	});
