import {join} from 'node:path';
import {gitsWords, lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import {identity, type Repository} from '../repository/repository.ts';
import {type CommitParts, commitCommand, commitTree, type Store} from './store.ts';

export type PersonCommit = {
	readonly commit: string;
	/** Reason why it is not signed although the person's settings ask for it. */
	readonly unsigned?: string;
};

/** Returns whether the person's settings ask for signed commits. */
export const signsCommits = async ({root}: Repository): Promise<boolean> => {
	const args = ['config', '--type=bool', '--get', 'commit.gpgSign'];
	return lineOf(await user(root, args, {expect: 'any'})) === 'true';
};

/**
Writes a commit of the person's into the store, signed by their own program if `commit.gpgSign` is set.

Git runs with the person's settings, but with the store's objects: nothing arrives in their repository before they approve.
*/
export const commitAsPerson = async (
	repository: Repository,
	store: Store,
	parts: Omit<CommitParts, 'identity'>,
): Promise<PersonCommit> => {
	const own = {...parts, identity: await identity(repository)};
	const unsigned = () => commitTree(store, own);
	if (!(await signsCommits(repository))) {
		return {commit: await unsigned()};
	}

	const {args, env} = commitCommand(own, '-S');
	const signed = await user(repository.root, args, {
		input: Buffer.from(own.message),
		expect: 'any',
		env: {...env, GIT_OBJECT_DIRECTORY: join(store.gitDir, 'objects')},
	});
	return signed.code === 0
		? {commit: lineOf(signed)}
		: {commit: await unsigned(), unsigned: gitsWords(signed)};
};
