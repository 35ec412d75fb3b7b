import type {Claim} from '../../events/event.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {type Claimed, claimed} from '../../state/agent/claims/claimed.ts';
import type {World} from '../world.ts';
import type {Judged} from './judge.ts';

/** Returns what an agent says of its work, beside what git says of the work that can be merged. */
export const claimsIn = async (
	{store, folder}: World,
	agent: Agent,
	{work, judged}: {readonly work: string; readonly judged: Judged},
): Promise<readonly Claim[]> => {
	const {tree} = folder.agent(agent.id);
	const said = claimed(agent).flatMap(one => {
		const path = pathIn(tree, one);
		return path === undefined ? [] : [{...one, path, claim: one.path}];
	});
	const there = await entriesAt(
		store,
		work,
		said.map(({path}) => path),
	);
	const changed = new Set(judged.inside.map(({path}) => path));
	const left = new Set([
		...judged.outside.map(({change}) => change.path),
		...agent.violations.filter(({refused}) => !refused).map(({path}) => path),
	]);
	return said.map(({path, as, claim}) => {
		const isThere = as === 'changed' ? changed.has(path) : there.has(path);
		if (left.has(path) && !changed.has(path)) {
			return {claim, holds: false, found: 'reverted'};
		}

		return isThere
			? {claim, holds: true}
			: {claim, holds: false, found: as === 'changed' ? 'unchanged' : 'missing'};
	});
};

/** Returns a path that an agent names as git calls it; nothing of what is delivered elsewhere, where nobody looks. */
const pathIn = (tree: string, {path, as}: Claimed): string | undefined => {
	if (path.startsWith(`${tree}/`)) {
		return path.slice(tree.length + 1);
	}

	return path.startsWith('/') && as === 'delivered' ? undefined : path.replace(/^(?:\.\/)+/, '');
};
