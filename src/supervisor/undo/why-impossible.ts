import type {Reversal} from '../../git/target/reversal.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import type {PublishedMerge} from '../../state/merge/publication.ts';
import {namePaths} from '../show/name-paths.ts';

/** How what happened last can be turned round. */
export type Way = Extract<Reversal, {kind: 'move' | 'commit'}>;

/**
Returns why the last move of a target can't be turned round, and a hint.

People know the merge and what it is called. The move may have led to a commit of theirs, which has nothing to do with it, so that is never named.
*/
export const whyImpossible = (
	publication: PublishedMerge,
	target: string,
	why: Exclude<Reversal, Way>,
): readonly [why: string, hint: string] =>
	publication.phase === 'standing'
		? whyNotTakenBack(publication, target, why)
		: whyNotBroughtBack(publication, target, why);

const whyNotTakenBack = (
	{commit, last}: PublishedMerge,
	target: string,
	why: Exclude<Reversal, Way>,
): readonly [string, string] => {
	const merge = shortOid(commit);
	switch (why.kind) {
		case 'entangled':
			return [
				namePaths(`Later commits changed the same places as the merge (${merge}).`, why.paths),
				`take it back by hand: git revert ${merge}`,
			];
		case 'lost':
			return [`The commit before the merge (${merge}) is nowhere any more.`, cleaned];
		case 'gone':
			return [
				last.to === commit
					? `${target} no longer holds the merge (${merge}); it was moved or rewritten since.`
					: `${target} was moved or rewritten since the merge (${merge}) was brought back.`,
				reflogOf(target),
			];
		case 'nothing':
			return [
				`Nothing of the merge (${merge}) is left in ${target} to take back.`,
				`git log ${target} shows who took it back`,
			];
	}
};

const whyNotBroughtBack = (
	{commit}: PublishedMerge,
	target: string,
	why: Exclude<Reversal, Way>,
): readonly [string, string] => {
	const merge = shortOid(commit);
	switch (why.kind) {
		case 'entangled':
			return [
				namePaths(
					`The merge (${merge}) was taken back, and later commits changed the same places.`,
					why.paths,
				),
				`bring it back by hand: git cherry-pick ${merge}`,
			];
		case 'lost':
			return [`The merge (${merge}) was taken back and is nowhere any more.`, cleaned];
		case 'gone':
			return [
				`${target} was moved or rewritten since the merge (${merge}) was taken back.`,
				reflogOf(target),
			];
		case 'nothing':
			return [
				`The merge (${merge}) was taken back, and ${target} holds all of it again.`,
				`git log ${target} shows who brought it back`,
			];
	}
};

const cleaned =
	'delegate-tui doctor --clean lets go of what a session kept, some time after its end';

const reflogOf = (target: string): string => `git reflog ${target} shows where it went`;
