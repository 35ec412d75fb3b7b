import {recalled} from '../process/recall.ts';
import {lineOf, splitNul} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

export const treeOfCommit = async (store: Store, commit: string): Promise<string> =>
	lineOf(await recalled(store, ['rev-parse', '--verify', `${commit}^{tree}`]));

/** Returns the first line of a commit's message. */
export const subjectOf = async (store: Store, commit: string): Promise<string> =>
	lineOf(await sealed(store, ['log', '-1', '--format=%s', commit]));

/** Returns whether a commit is an ancestor of another one, or the same. */
export const isAncestor = async (
	store: Store,
	earlier: string,
	later: string,
): Promise<boolean> => {
	const args = ['merge-base', '--is-ancestor', earlier, later];
	return (await recalled(store, args, {expect: 'any'})).code === 0;
};

export type CommitLine = {
	readonly commit: string;
	readonly author: string;
	readonly subject: string;
};

/** Occurs in neither a name nor a subject. */
const separator = '\n';

/** Returns the commits of `from..to`, newest first. */
export const commitsBetween = async (
	store: Store,
	from: string,
	to: string,
): Promise<readonly CommitLine[]> => {
	const {stdout} = await sealed(store, ['log', '-z', '--format=%H%n%an%n%s', `${from}..${to}`]);
	return splitNul(stdout).map(text => {
		const [commit = '', author = '', ...subject] = text.split(separator);
		return {commit, author, subject: subject.join(' ').trim()};
	});
};
