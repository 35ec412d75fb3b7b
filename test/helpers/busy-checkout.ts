import {belongings, type Files, git, write} from './repository.ts';

/** Files in the base commit of a busy checkout, besides its configuration. */
export const busyFiles: Files = {
	'.gitignore': '.env\nnode_modules/\n',
	'staged.txt': 'base\n',
	'edited.txt': 'base\n',
	'removed.txt': 'base\n',
};

/** Leaves a checkout with these files in the middle of work: stashed, staged, edited, untracked and ignored files. */
export const makeBusy = (root: string): void => {
	write(root, {'edited.txt': 'put off\n', 'staged.txt': 'put off, too\n'});
	git(root, 'stash', 'push', '--quiet');
	write(root, {
		'.env': 'SECRET=1\n',
		'node_modules/a/index.js': 'ignored\n',
		'staged.txt': 'staged\n',
		'edited.txt': 'edited\n',
		'notes/untracked.txt': 'untracked\n',
	});
	git(root, 'add', 'staged.txt');
	write(root, {'staged.txt': 'staged, then edited\n'});
	git(root, 'rm', '--quiet', 'removed.txt');
};

/** Returns the person's data without the one ref that a session may add to the repository. */
export const withoutBase = (root: string) => {
	const {refs, gitFiles, ...rest} = belongings(root);
	const isOurs = (text: string) => /refs\/delegate\/DEL-[^/]+\/base\b/.test(text);
	return {
		...rest,
		refs: refs.split('\n').filter(line => !isOurs(line)),
		gitFiles: Object.entries(gitFiles).filter(([path]) => !isOurs(path)),
	};
};

/** Leaves out the files of the git folder that a fast-forward of the current branch changes. */
export const withoutPublished = (files: readonly (readonly [string, string])[]) =>
	files.filter(([path]) => !/\/(?:logs\/HEAD|(?:logs\/)?refs\/heads\/main|ORIG_HEAD)$/.test(path));
