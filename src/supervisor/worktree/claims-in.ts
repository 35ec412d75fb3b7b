import type {Claim} from '../../events/event.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {type Claimed, claimed} from '../../state/agent/claims/claimed.ts';
import type {World} from '../world.ts';
import type {Judged} from './judge.ts';

/** Returns what an agent says of its work, beside what git says of the work that can be merged. */
export const claimsIn = async (
	{store}: World,
	agent: Agent,
	{work, judged}: {readonly work: string; readonly judged: Judged},
): Promise<readonly Claim[]> => {
	const said = claimed(agent);
	const there = await entriesAt(store, work, said.map(plainPath));
	const changed = new Set(judged.inside.map(({path}) => path));
	const left = new Set([
		...judged.outside.map(({change}) => change.path),
		...agent.violations.filter(({refused}) => !refused).map(({path}) => path),
	]);
	return said.map(one => {
		const path = plainPath(one);
		const isThere = one.as === 'changed' ? changed.has(path) : there.has(path);
		if (left.has(path) && !changed.has(path)) {
			return {claim: one.path, holds: false, found: 'reverted'};
		}

		return isThere
			? {claim: one.path, holds: true}
			: {claim: one.path, holds: false, found: one.as === 'changed' ? 'unchanged' : 'missing'};
	});
};

/** As git calls it. */
const plainPath = ({path}: Claimed): string => path.replace(/^(?:\.\/)+/, '');
