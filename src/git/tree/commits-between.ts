import {splitNul} from '../process/nul.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** A commit as a person knows it. */
export type CommitLine = {
	readonly commit: string;
	readonly author: string;
	readonly subject: string;
};

/** No name or subject that git prints holds this. */
const separator = '\n';

/** Returns the commits that lead to one commit and not to another, newest first. */
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
