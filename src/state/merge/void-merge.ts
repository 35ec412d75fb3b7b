import {type State, withoutItems} from '../state.ts';
import {membersOf} from './members.ts';
import type {Resolution} from './merge.ts';

/**
What went into the merge may have changed: a result, its check and its approval are void where they hold work that changed, and so are the resolutions that concern those whose work it is.

What a person mended by hand in files that git had merged holds the lines of all whose work was in the merge: with anybody's of them it goes, or what was taken out of the merge would land with it.

@param changed Agents' ids and `target`; none where the same work is put together anew.

A merge that is being published stands.
*/
export const voidMerge = (state: State, changed: readonly string[]): State => {
	if (state.merge.phase === 'intended') {
		return state;
	}

	const members = membersOf(state.merge);
	const isVoid =
		members.length === 0 || changed.length === 0 || ['target', ...members].some(isIn(changed));
	const left = {
		...state,
		resolutions: state.resolutions.filter(one => !namesIn(one).some(isIn(changed))),
	};
	return isVoid
		? {
				...withoutItems(left, ({kind}) => kind === 'verify' || kind === 'approval'),
				attempts: state.attempts.filter(({effect}) => effect.do !== 'build'),
				merge: {phase: 'none'},
			}
		: left;
};

const isIn = (names: readonly string[]) => (name: string) => names.includes(name);

/** Whose work a resolution stands or falls with. */
const namesIn = (resolution: Resolution): readonly string[] => [
	...resolution.a,
	...resolution.b,
	...(resolution.choice === 'manual' && resolution.mends !== undefined
		? ['target', ...(resolution.among ?? [])]
		: []),
];
