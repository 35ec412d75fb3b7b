import {type State, withoutItems} from '../state.ts';
import type {Resolution} from './merge.ts';

/**
What went into the merge has changed: a result, its check and its approval are void, and so are the resolutions that concern those whose work changed.

What a person mended by hand in files that git had merged holds everybody's lines in them: with anybody's work it goes, or what was taken out of the merge would land with it.

A merge that is being published stands.
*/
export const voidMerge = (state: State, changed: readonly string[]): State => {
	if (state.merge.phase === 'intended') {
		return state;
	}

	const concerns = (resolution: Resolution): boolean =>
		resolution.choice === 'manual' && resolution.mends !== undefined
			? changed.length > 0
			: [...resolution.a, ...resolution.b].some(name => changed.includes(name));
	return {
		...withoutItems(state, ({kind}) => kind === 'verify' || kind === 'approval'),
		attempts: state.attempts.filter(({effect}) => effect.do !== 'build'),
		merge: {phase: 'none'},
		resolutions: state.resolutions.filter(resolution => !concerns(resolution)),
	};
};
