import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';
import {git} from '../../helpers/repository.ts';

/** Everything of the person's in any kind of checkout, as lines to compare. */
export type Look = {
	readonly files: readonly string[];
	readonly index: readonly string[];
	readonly refs: readonly string[];
	readonly rest: readonly string[];
};

/** Looks at a checkout; refs of ours are left out by name. */
export const lookAt = (root: string): Look => ({
	files: filesOf(root),
	index: linesOf(git(root, 'ls-files', '--stage', '-t', '-z'), '\0'),
	refs: linesOf(git(root, 'for-each-ref', '--format=%(refname) %(objectname)'), '\n').filter(
		line => !/^refs\/delegate\/DEL-[^/]+\/base /.test(line),
	),
	rest: [
		git(root, 'stash', 'list', '--format=%H'),
		git(root, 'worktree', 'list', '--porcelain').replaceAll(/^HEAD .*$/gm, ''),
		git(root, 'config', '--local', '--list'),
		hooksOf(root),
	],
});

const linesOf = (text: string, end: string): readonly string[] =>
	text.split(end).filter(line => line !== '');

const hooksOf = (root: string): string => {
	const folder = git(root, 'rev-parse', '--path-format=absolute', '--git-path', 'hooks');
	return execFileSync(
		'sh',
		['-c', `cat '${folder.replaceAll("'", "'\\''")}'/* 2>/dev/null; true`],
		{
			encoding: 'latin1',
		},
	);
};

/** One line for each file: its path, its kind and mode, the hash of what it holds. A pipe is not read. */
const filesOf = (root: string, folder = ''): readonly string[] =>
	readdirSync(join(root, folder))
		.toSorted()
		.flatMap(name => {
			const path = join(folder, name);
			const entry = lstatSync(join(root, path));
			if (path === '.git') {
				return [];
			}

			if (entry.isDirectory()) {
				return filesOf(root, path);
			}

			const content = entry.isSymbolicLink()
				? readlinkSync(join(root, path))
				: entry.isFile()
					? readFileSync(join(root, path))
					: '';
			const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
			return [`${path}\0${entry.mode.toString(8)} ${hash}`];
		});
