/*
Replaces macOS's sandbox-exec on Linux: it applies the file rules of a profile with bubblewrap, in their order.

Rules that mounts can't express are left out: names of sockets and of services, and folders that must not be moved.
*/
import {execFileSync} from 'node:child_process';
import {lstatSync, readlinkSync} from 'node:fs';
import {dirname} from 'node:path';

const [, , , profile = '', ...command] = process.argv;
const mounted: string[] = [];
const emptied: string[] = [];
const isThere = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false}) !== undefined;
const covers = (path: string): boolean => mounted.some(folder => path.startsWith(`${folder}/`));

const mountFor = (line: string): readonly string[] => {
	const [, does = '', text = '""'] =
		/^\((allow file-read\*|allow file-read\* file-write\*|deny file-write\*|deny file-read\* file-write\*) \(subpath (".*")\)\)$/.exec(
			line,
		) ?? [];
	const path: string = JSON.parse(text);
	if (path === '' || !isThere(path) || path === '/dev/fd') {
		return [];
	}

	mounted.push(path);
	const isFolder = lstatSync(path).isDirectory();
	switch (does) {
		case 'allow file-read*':
		case 'deny file-write*':
			return ['--ro-bind', path, path];
		case 'allow file-read* file-write*':
			return ['--bind', path, path];
		default:
			emptied.push(...(isFolder ? ['--remount-ro', path] : []));
			return isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
	}
};

/** Returns the arguments for a link that the profile lets a program follow. */
const linkFor = (line: string): readonly string[] => {
	const [, text = '""'] = /^\(allow file-read-metadata \(literal ("[^"]*")\)\)$/.exec(line) ?? [];
	const path: string = JSON.parse(text);
	const isLink = path !== '' && isThere(path) && lstatSync(path).isSymbolicLink();
	return isLink && !covers(path) && dirname(path) === '/'
		? ['--symlink', readlinkSync(path), path]
		: [];
};

const lines = profile.split('\n');
const words = [...lines.flatMap(mountFor), ...lines.flatMap(linkFor), ...emptied];
try {
	execFileSync(
		'bwrap',
		[
			...['--unshare-pid', '--die-with-parent', '--cap-drop', 'ALL', '--proc', '/proc'],
			...['--dev', '/dev', ...words, '--remount-ro', '/dev', '--remount-ro', '/', '--', ...command],
		],
		{stdio: 'inherit'},
	);
} catch (error) {
	process.exitCode = (error as {readonly status?: number}).status ?? 1;
}
