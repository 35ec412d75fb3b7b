import type {MergeConflict} from '../../../git/merge/merge-tree.ts';
import {submoduleMode, symlinkMode} from '../../../git/tree/entry.ts';
import type {FileConflictKind} from '../../finding.ts';

/** Returns what two sides did to a path that git can't merge. */
export const kindOf = (
	conflict: MergeConflict,
	together: readonly MergeConflict[],
): FileConflictKind => {
	const entries = together.flatMap(({base, ours, theirs}) => [base, ours, theirs]);
	const has = (mode: string) => entries.some(entry => entry?.mode === mode);
	if (has(submoduleMode)) {
		return 'submodule';
	}

	const said = kindsOfGit.find(([word]) => conflict.kinds.some(kind => kind.startsWith(word)));
	if (said !== undefined) {
		return said[1];
	}

	if (has(symlinkMode)) {
		return 'symlink';
	}

	const {base, ours, theirs} = conflict;
	if (ours && theirs && ours.oid === theirs.oid) {
		return 'mode';
	}

	if (conflict.kinds.includes('binary')) {
		return 'binary';
	}

	if (ours && theirs) {
		return base ? 'content' : 'add/add';
	}

	return 'modify/delete';
};

/** What git calls it, where its word is more than what the entries show. */
const kindsOfGit: readonly (readonly [string, FileConflictKind])[] = [
	['rename/rename', 'rename/rename'],
	['rename involved in collision', 'rename/rename'],
	['rename/delete', 'rename/delete'],
	['directory rename', 'directory rename'],
	['file/directory', 'file/directory'],
	['modify/delete', 'modify/delete'],
];
