/** The rules that find a conflict, by the type of what they find. */
export type RulesByType = {
	/** F1 git can't merge · F2 both changed one file · F3 only the merge doesn't parse · F4 generated */
	readonly FILE_CONFLICT: 'F1' | 'F2' | 'F3' | 'F4';
	/** I1 file gone · I2 name gone · I3 import dropped · I4 imported twice · I5 dependency gone */
	readonly IMPORT_CONFLICT: 'I1' | 'I2' | 'I3' | 'I4' | 'I5';
	/**
	A1 removed · A2 parameters · A3 parameters in another order · A4 member required · A5 defined twice
	· A6 types · A7 global or field · A8 lost by the merge · A9 the same thing done twice
	*/
	readonly API_CONFLICT: 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'A7' | 'A8' | 'A9';
	/** T1 one test edited twice · T2 test of changed code · T3 golden file · T4 only the merge fails */
	readonly TEST_CONFLICT: 'T1' | 'T2' | 'T3' | 'T4';
};

export type ConflictType = keyof RulesByType;

/** Where one side of a finding can be seen. */
export type Evidence = {
	readonly side: 'a' | 'b';
	readonly path: string;
	/** Counted from 1. */
	readonly line?: number;
	/** The line itself, cut where it is long. */
	readonly text?: string;
	/** This side took the line out, or the file: path, line and text are those of the base. */
	readonly removed?: true;
	/** The function, class or heading that the line stands in. */
	readonly section?: string;
};

export type Confidence = 'high' | 'medium' | 'low';

/** A conflict, or possible conflict, between two merged sides. */
export type FindingOf<Type extends ConflictType> = {
	readonly type: Type;
	readonly rule: RulesByType[Type];
	/** Where it shows: git's own conflicted path, or a path of the merged tree. */
	readonly path: string;
	/** The same for the same finding, however lines move; unlike that of any other of the two sides. */
	readonly key: string;
	/** Whether git can't merge it, or the merged program would break; everything else is a note. */
	readonly blocking: boolean;
	readonly confidence: Confidence;
	/** One sentence. */
	readonly summary: string;
	/** At least one of each side. */
	readonly evidence: readonly Evidence[];
	/** Confirmation by a type checker or a test run, in its own words. */
	readonly confirmed?: {readonly by: string; readonly text: string};
	/** Where git can't merge the pair: the side whose lines cause it; absent where the lines of either do. */
	readonly keeping?: 'a' | 'b';
} & (Type extends 'FILE_CONFLICT' ? {readonly kind: FileConflictKind} : unknown);

/** Kind of a conflict in a file; the last three are found in merges that git makes. */
export type FileConflictKind =
	| 'content'
	| 'add/add'
	| 'modify/delete'
	| 'rename/rename'
	| 'rename/delete'
	| 'directory rename'
	| 'file/directory'
	| 'mode'
	| 'symlink'
	| 'submodule'
	| 'binary'
	| 'overlap'
	| 'syntax'
	| 'generated';

export type Finding = {readonly [Type in ConflictType]: FindingOf<Type>}[ConflictType];

/**
A change that does more than change what is read, so a person sees it first.

The surface of a project is what runs by itself, when a person installs, opens, commits, builds or tests, or in CI; and what leads elsewhere. A path may be there twice, as a link with the name of a hook is.
*/
export type SurfaceChange = {
	readonly path: string;
	readonly as: 'runs' | 'link' | 'submodule';
	/** What runs, in words; the link's target; the submodule's commit. */
	readonly what: string;
};

/**
Why nothing is known about the names in a file; git's own verdict on it stands all the same.

- `no grammar`: it is not in a language that is read
- `not ours`: it is vendored or generated
- `no text`: it holds NUL bytes
- `in part`: the parser had to skip some of it
- `too many files`: so many files were changed that none was read
*/
export type WhyUnread =
	| 'no grammar'
	| 'not ours'
	| 'too large'
	| 'no text'
	| 'in part'
	| 'parser failed'
	| 'parser took too long'
	| 'too many files';

export type UnreadFile = {readonly path: string; readonly why: WhyUnread};

/** Files that were not read for the same reason, as many as a sentence holds. */
export type UnreadFiles = {
	readonly why: WhyUnread;
	/** The first ones. */
	readonly paths: readonly string[];
	/** Whether there are others. */
	readonly more: boolean;
};

/** Returns files by the reason for which they were not read; the same where only files behind the first ones differ. */
export const unreadByReason = (files: readonly UnreadFile[]): readonly UnreadFiles[] => {
	const reasons = [...new Set(files.map(({why}) => why))].toSorted();
	return reasons.map(why => {
		const paths = files.filter(file => file.why === why).map(({path}) => path);
		const inOrder = [...new Set(paths)].toSorted();
		return {why, paths: inOrder.slice(0, mostPaths), more: inOrder.length > mostPaths};
	});
};

const mostPaths = 3;
