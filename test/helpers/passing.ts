import {git, write} from './repository.ts';

/** A person's repository has files for a moment, which no ref leads to afterwards. */
export const passing = (root: string, files: Readonly<Record<string, string>>): void => {
	write(root, files);
	git(root, 'add', '--all');
	git(root, 'write-tree');
	git(root, 'reset', '--quiet', '--hard');
};

/** Removes from a person's repository what no ref leads to. */
export const collect = (root: string): void => {
	git(root, 'reflog', 'expire', '--expire=now', '--all');
	git(root, 'gc', '--quiet', '--prune=now');
};

/** What of commits or trees, their history included, can't be read in a git folder. */
export const missing = (gitDir: string, ...oids: readonly string[]): readonly string[] =>
	git(gitDir, 'rev-list', '--objects', '--missing=print', ...oids)
		.split('\n')
		.filter(line => line.startsWith('?'));
