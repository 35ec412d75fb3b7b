import {oneLine} from '../../agents/one-line.ts';
import type {Program, Subtask} from '../../events/plan.ts';
import {defined} from '../../lib/defined.ts';
import {omit} from '../../lib/omit.ts';
import type {ItemOf} from '../../state/item.ts';
import {allPathsOf, isBreakage} from '../../state/items/conflict/breakage.ts';
import type {State} from '../../state/state.ts';
import {subtaskFor} from '../requests/new-subtask.ts';

export type ArbiterParts = {
	/** How the person called it. */
	readonly as: string;
	/** What the config says of that; without it, it is like an agent of the session. */
	readonly program?: Program;
	readonly note?: string;
};

/** Returns the subtask of an agent that is to settle a conflict, which may write the conflicted files and no others; nothing where nobody is called like that. */
export const arbiterSubtask = (
	state: State,
	item: ItemOf<'conflict'>,
	{as, program, note}: ArbiterParts,
): Subtask | undefined => {
	const asked = program ?? programLike(state, as);
	const [model = ''] = [...item.a, ...item.b].filter(name => name !== 'target');
	const what = `${item.a.join('+')} and ${item.b.join('+')}`;
	const like = subtaskFor(state, `Propose how to settle what ${what} collide in`, model);
	if (asked === undefined || like === undefined) {
		return undefined;
	}

	const paths = isBreakage(item) ? allPathsOf(item) : [item.path];
	return {
		...omit(like, 'behavior', 'profile', 'origin', 'tokens', 'mode', 'mcpServers', 'images'),
		...asked,
		goal: [
			`${paths.join(' and ')} as both sides meant it, with nothing left that collides or breaks`,
			...(note === undefined ? [] : [`the person says: ${oneLine(note)}`]),
		].join('; '),
		scope: {allowed: paths.map(asGlob), forbidden: []},
		inputs: [],
		expect: ['SUMMARY'],
	};
};

const programLike = ({agents}: State, as: string): Program | undefined => {
	const like = agents.find(({id, subtask}) => id === as || subtask.profile === as)?.subtask;
	return like && defined({agent: like.agent, profile: like.profile, origin: like.origin});
};

/** Globs escape nothing, so a character that means something in one stands for any; no other file than the conflicted one is taken. */
const asGlob = (path: string): string =>
	path.replace(/[*?{}\\\u0000-\u001f\u007f]/g, '?').replace(/^!/, '?');
