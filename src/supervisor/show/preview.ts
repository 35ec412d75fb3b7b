import type {Combination} from '../../conflicts/combine.ts';
import type {AcceptedBreakage, Collision, Looked} from '../../events/kinds/merge-event.ts';
import {type ChangedFile, changedFiles, sumOfLines} from '../../git/tree/changed-files.ts';
import {counted} from '../../lib/text/words.ts';
import {whoBreaks} from '../../state/merge/attribution.ts';
import {lookedText} from '../../state/merge/attribution-text.ts';
import type {State} from '../../state/state.ts';
import {lookAtResult} from '../merging/look-at-result.ts';
import {requireSession, type Works} from '../world.ts';

/** Outcome of a choice for all work, beyond the conflict's path. */
export type Preview = {
	/** Tree of the result; for open conflicts, with the side that came first. */
	readonly tree: string;
	readonly files: readonly Pick<ChangedFile, 'path' | 'added' | 'removed'>[];
	/** Conflicts that would remain open. */
	readonly left: readonly Collision[];
	readonly accepted: readonly AcceptedBreakage[];
	readonly looked: Looked;
	/** The same as sentences. */
	readonly words: readonly string[];
};

/** Checks combined work after a choice with all rules that apply to a real result. */
export const previewOf = async (
	works: Works,
	decided: State,
	combination: Combination,
): Promise<Preview> => {
	const {tip, target} = requireSession(decided);
	const {tree} = combination;
	const [changed, {open, accepted, looked}] = await Promise.all([
		changedFiles(works.store, [tip, tree], {renames: false}),
		lookAtResult(works, decided, combination, {signal: new AbortController().signal, quick: true}),
	]);
	const left = [...(combination.kind === 'conflicts' ? combination.conflicts : []), ...open];
	const words = [
		changesText(changed, target),
		...leftTexts(left),
		...(left.length === 0 || looked.outcome === 'failed'
			? [lookedText(looked, accepted.length).text]
			: []),
	];
	const files = changed.map(({path, added, removed}) => ({path, added, removed}));
	return {tree, files, left, accepted, looked, words};
};

const changesText = (files: readonly ChangedFile[], target: string): string => {
	const {added, removed} = sumOfLines(files);
	return `All work together then changes ${counted(files.length, 'file')} in ${target}, +${added} −${removed}.`;
};

const leftTexts = (left: readonly Collision[]): readonly string[] =>
	left.length === 0 ? ['Nothing else is left to decide before the check.'] : left.map(leftText);

/** Returns a sentence about a remaining conflict. */
export const leftText = (one: Collision): string => {
	return 'stages' in one
		? `Still to decide: ${one.a.join('+')} and ${one.b.join('+')} collide in ${one.path}.`
		: `Still to decide: ${whoBreaks(one)}: ${one.summary}`;
};
