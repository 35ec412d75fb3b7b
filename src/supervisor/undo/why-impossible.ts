import type {Reversal} from '../../git/target/reversal.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import type {Publication} from '../../state/merge/publication.ts';
import {namePaths} from '../show/name-paths.ts';

/** How what happened last can be turned round. */
export type Way = Extract<Reversal, {kind: 'move' | 'commit'}>;

/**
Returns why the last move of a target can't be turned round, and a hint.

People know the merge and what it is called. The move may have led to a commit of theirs, which has nothing to do with it, so that is never named.
*/
export const whyImpossible = (
	{phase, built: {commit}, last}: Publication,
	target: string,
	why: Exclude<Reversal, Way>,
): readonly [why: string, hint: string] => {
	const merge = shortOid(commit);
	const stands = phase === 'standing';
	switch (why.kind) {
		case 'entangled': {
			const sentence = stands
				? `Later commits changed the same places as the merge (${merge}).`
				: `The merge (${merge}) was taken back, and later commits changed the same places.`;
			const hint = stands
				? `take it back by hand: git revert ${merge}`
				: `bring it back by hand: git cherry-pick ${merge}`;
			return [namePaths(sentence, why.paths), hint];
		}

		case 'lost':
			return [
				stands
					? `The commit before the merge (${merge}) is nowhere any more.`
					: `The merge (${merge}) was taken back and is nowhere any more.`,
				'delegate-tui doctor --clean lets go of what a session kept, some time after its end',
			];
		case 'gone': {
			const turned = stands ? 'brought back' : 'taken back';
			return [
				stands && last.to === commit
					? `${target} no longer holds the merge (${merge}); it was moved or rewritten since.`
					: `${target} was moved or rewritten since the merge (${merge}) was ${turned}.`,
				`git reflog ${target} shows where it went`,
			];
		}

		case 'nothing':
			return stands
				? [
						`Nothing of the merge (${merge}) is left in ${target} to take back.`,
						`git log ${target} shows who took it back`,
					]
				: [
						`The merge (${merge}) was taken back, and ${target} holds all of it again.`,
						`git log ${target} shows who brought it back`,
					];
	}
};
