import {git, write} from './repository.ts';

/** Adds files to a person's repository for a moment; afterwards no ref reaches them. */
export const passing = (root: string, files: Readonly<Record<string, string>>): void => {
	write(root, files);
	git(root, 'add', '--all');
	git(root, 'write-tree');
	git(root, 'reset', '--quiet', '--hard');
};

/** Removes unreachable objects from a person's repository. */
export const collect = (root: string): void => {
	git(root, 'reflog', 'expire', '--expire=now', '--all');
	git(root, 'gc', '--quiet', '--prune=now');
};

/** Returns the objects of commits or trees, including their history, that are missing in a git folder. */
export const missing = (gitDir: string, ...oids: readonly string[]): readonly string[] =>
	git(gitDir, 'rev-list', '--objects', '--missing=print', ...oids)
		.split('\n')
		.filter(line => line.startsWith('?'));
