import type {TargetMove} from '../../../events/target-move.ts';
import {isAncestor} from '../../../git/tree/commit.ts';
import {commitsBetween} from '../../../git/tree/commits-between.ts';
import type {State} from '../../../state/state.ts';
import {requireSession} from '../../require-session.ts';
import type {World} from '../../world.ts';

/** Commits beyond these make nobody wiser. */
const mostNamed = 6;

/** Returns by which commits the target moved since the session began, if others than we moved it: a person, or an agent behind their back. */
export const targetMove = async (
	{store}: Pick<World, 'store'>,
	state: State,
): Promise<TargetMove | undefined> => {
	const {base, tip} = requireSession(state);
	if (base === tip) {
		return undefined;
	}

	const own = state.publications.flatMap(({built, last}) => [built.commit, last.to]);
	const all = await commitsBetween(store, base, tip);
	const commits = all.filter(({commit}) => !own.includes(commit));
	const rewritten = !(await isAncestor(store, base, tip));
	return commits.length === 0 && !rewritten
		? undefined
		: {
				...{base, rewritten},
				commits: commits.slice(0, mostNamed),
				more: Math.max(0, commits.length - mostNamed),
			};
};
