import {placeOf, type Repository} from './repository.ts';
import {sealed} from './sealed.ts';
import type {Store} from './store.ts';

/**
Copies a commit and all it needs from the store into the person's repository, without any ref to it.

Git checks every object on the way in, so one that was tampered with on disk never arrives.
*/
export const bringObjects = async (
	repository: Repository,
	store: Store,
	commit: string,
): Promise<void> => {
	await sealed(
		placeOf(repository),
		[
			'fetch',
			'--quiet',
			'--no-tags',
			'--no-prune',
			'--no-write-fetch-head',
			'--no-auto-maintenance',
			'--no-write-commit-graph',
			'--no-recurse-submodules',
			store.gitDir,
			commit,
		],
		{
			config: {
				'transfer.fsckObjects': 'true',
				'fetch.fsckObjects': 'true',
				'protocol.version': '2',
			},
		},
	);
};
