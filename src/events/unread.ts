/**
Why nothing is known about the names in a file; git's own verdict on it stands all the same.

- `no grammar`: it is in no language that is read
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
