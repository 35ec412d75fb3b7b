import {copyFile, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../lib/files/reading.ts';
import {type MergeSettings, mergeConfig} from '../merge/merge-tree.ts';
import {lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import {requireGitVersion} from '../process/version.ts';
import {type Store, withReadingStore} from '../store/store.ts';
import {notOpened} from './repository.ts';

/** A repository that is only read, bare or not. */
export type ReadableRepository = {
	readonly gitDir: string;
	readonly commonDir: string;
	/** `undefined` for a bare repository. */
	readonly checkout: string | undefined;
	readonly settings: MergeSettings;
};

/**
Finds the repository that a folder belongs to.

@throws `Failure` of kind `missing` without a repository, or with a git older than 2.38.
*/
export const openForReading = async (cwd: string): Promise<ReadableRepository> => {
	await requireGitVersion();
	const result = await user(
		cwd,
		[
			'rev-parse',
			'--path-format=absolute',
			'--git-dir',
			'--git-common-dir',
			'--is-inside-work-tree',
		],
		{expect: 'any'},
	);
	if (result.code !== 0) {
		throw notOpened(result);
	}

	const [gitDir = '', commonDir = '', hasCheckout] = lineOf(result).split('\n');
	const checkout =
		hasCheckout === 'true' ? lineOf(await user(cwd, ['rev-parse', '--show-toplevel'])) : undefined;
	return {gitDir, commonDir, checkout, settings: {checkout, config: await mergeConfig(cwd)}};
};

/** Lends a store that reads a repository's objects, so that nothing is written into the repository. */
export const withStoreOf = <Result>(
	{commonDir}: ReadableRepository,
	use: (store: Store) => Promise<Result>,
): Promise<Result> =>
	withReadingStore({gitDir: commonDir}, async store => {
		await mkdir(join(store.gitDir, 'info'), {recursive: true});
		const attributes = 'info/attributes';
		await ifThere(copyFile(join(commonDir, attributes), join(store.gitDir, attributes)));
		return use(store);
	});
