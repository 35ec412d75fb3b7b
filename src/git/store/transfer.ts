import type {GitResult} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {gitLocationOf, type Repository} from '../repository/repository.ts';
import type {Store} from './store.ts';

/**
Copies a commit and all it needs from the store into the person's repository, without any ref to it.

Git checks every object on the way in, so neither one that was tampered with on disk arrives nor one that is made to harm git, such as a submodule whose address is an option. The result says what git made of it; on any exit code but 0 nothing has arrived.
*/
export const bringObjects = (
	repository: Repository,
	store: Store,
	commit: string,
): Promise<GitResult> =>
	sealed(
		gitLocationOf(repository),
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
		{config: {'fetch.fsckObjects': 'true', 'protocol.version': '2'}, expect: 'any'},
	);
