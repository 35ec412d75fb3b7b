/** Rules that find a conflict, by its type. */
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

/** Location of a finding on one side. */
export type Evidence = {
	readonly side: 'a' | 'b';
	readonly path: string;
	/** Counted from 1. */
	readonly line?: number;
	/** The line's text, cut if it is long. */
	readonly text?: string;
	/** Set if this side removed the line, or the file: path, line and text are those of the base. */
	readonly removed?: true;
	/** Function, class or heading that contains the line. */
	readonly section?: string;
};

export type Confidence = 'high' | 'medium' | 'low';

/** A conflict, or possible conflict, between two merged sides. */
export type FindingOf<Type extends ConflictType> = {
	readonly type: Type;
	readonly rule: RulesByType[Type];
	/** Path that shows it: git's own conflicted path, or one in the merged tree. */
	readonly path: string;
	/** Identifies a finding even when lines move; unique between two sides. */
	readonly key: string;
	/** True if git can't merge it, or the merged program would break; otherwise it is a note. */
	readonly blocking: boolean;
	readonly confidence: Confidence;
	/** One sentence. */
	readonly summary: string;
	/** At least one of each side. */
	readonly evidence: readonly Evidence[];
	/** Confirmation by a type checker or a test run, in its own words. */
	readonly confirmed?: {readonly by: string; readonly text: string};
	/** If git can't merge the pair: the side whose lines cause it; absent if either side's lines do. */
	readonly keeping?: 'a' | 'b';
} & (Type extends 'FILE_CONFLICT' ? {readonly kind: FileConflictKind} : unknown);

/** Kind of a conflict in a file; the last three occur in clean merges. */
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
A change with effects beyond its content, which a person sees first.

The surface of a project consists of files that run by themselves when a person installs, opens, commits, builds or tests, or in CI, and of links and submodules. A path may occur twice, for example as a link with the name of a hook.
*/
export type SurfaceChange = {
	readonly path: string;
	readonly as: 'runs' | 'link' | 'submodule';
	/** Description of the command; the link's target; the submodule's commit. */
	readonly what: string;
};

/**
Reason why the names in a file are unknown; git's own verdict on it stays.

- `no grammar`: its language isn't supported
- `not ours`: it is vendored or generated
- `no text`: it contains NUL bytes
- `in part`: the parser had to skip part of it
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

/** Files that were not read for the same reason, as many as fit into a sentence. */
export type UnreadFiles = {
	readonly why: WhyUnread;
	/** First paths. */
	readonly paths: readonly string[];
	/** True if there are others. */
	readonly more: boolean;
};

/** Groups files by the reason why they were not read; the result stays the same if only files after the first ones differ. */
export const unreadByReason = (files: readonly UnreadFile[]): readonly UnreadFiles[] => {
	const reasons = [...new Set(files.map(({why}) => why))].toSorted();
	return reasons.map(why => {
		const paths = files.filter(file => file.why === why).map(({path}) => path);
		const inOrder = [...new Set(paths)].toSorted();
		return {why, paths: inOrder.slice(0, mostPaths), more: inOrder.length > mostPaths};
	});
};

const mostPaths = 3;
