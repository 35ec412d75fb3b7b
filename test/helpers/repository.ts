import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
	chmodSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';

/** Returns a new folder that is removed when the test ends. */
export const temporaryFolder = (): string => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-git-')));
	onTestFinished(() => removeAll(folder));
	return folder;
};

/** Removes a folder: first restores permissions that a test or its agent removed; a git that outlives a stop may still write there for a moment. */
export const removeAll = (folder: string): void => {
	const options = {recursive: true, force: true, maxRetries: 10, retryDelay: 50};
	try {
		rmSync(folder, options);
	} catch {
		execFileSync('chmod', ['-R', 'u+rwx', folder]);
		rmSync(folder, options);
	}
};

/**
Gives the test its own home, so that this machine's git configuration doesn't apply.

Returns the file that git reads as the person's configuration.
*/
export const hermeticHome = (): string => {
	isHermetic = true;
	const home = temporaryFolder();
	const config = join(home, 'gitconfig');
	writeFileSync(
		config,
		'[user]\n\tname = Ada Person\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[maintenance]\n\tauto = false\n',
	);
	const variables = {
		HOME: home,
		XDG_CONFIG_HOME: join(home, 'config'),
		GIT_CONFIG_GLOBAL: config,
		GIT_CONFIG_NOSYSTEM: '1',
	};
	const before = Object.keys(variables).map(name => [name, process.env[name]] as const);
	Object.assign(process.env, variables);
	onTestFinished(() => {
		isHermetic = false;
		for (const [name, value] of before) {
			if (value === undefined) {
				delete process.env[name];
			} else {
				process.env[name] = value;
			}
		}
	});
	return config;
};

/** True if the current test has such a home. */
let isHermetic = false;

/** Runs the person's git, unsealed, and returns its output. */
export const git = (cwd: string, ...args: readonly string[]): string => run(cwd, 'git', args);

const run = (cwd: string, program: string, args: readonly string[]): string =>
	execFileSync(program, [...args], {
		cwd,
		encoding: 'utf8',
		env: {
			...process.env,
			GIT_AUTHOR_DATE: '@1700000000 +0000',
			GIT_COMMITTER_DATE: '@1700000000 +0000',
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	}).replace(/\n$/, '');

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Writes files below a folder, including parent folders. */
export const write = (root: string, files: Files): void => {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), {recursive: true});
		writeFileSync(join(root, path), content);
	}
};

/** Commits everything in a checkout and returns the commit. */
export const commitAll = (root: string, message = 'change'): string =>
	run(root, 'sh', ['-c', committing, 'sh', message]);

/** Shell script that runs both gits, since a small process forks much faster than a test's. */
const committing =
	'git add --all && git commit --quiet --allow-empty --message "$1" && git rev-parse HEAD';

/** Makes a repository with one commit of these files on `main` and returns its checkout; its person has their own home. */
export const makeRepository = (
	files: Files = {'readme.md': 'hello\n'},
	folder = temporaryFolder(),
): string => {
	if (!isHermetic) {
		hermeticHome();
	}

	const root = join(folder, 'project');
	mkdirSync(root);
	write(root, files);
	run(root, 'sh', [
		...['-c', `git init --quiet --initial-branch=main && ${committing}`],
		...['sh', 'base'],
	]);
	return root;
};

/** Writes an executable shell script. */
export const script = (path: string, body: string): void => {
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, `#!/bin/sh\n${body}\n`);
	chmodSync(path, 0o755);
};

/** Returns the person's data that must not change without their knowledge, as comparable text. */
export const belongings = (root: string) => ({
	refs: git(root, 'for-each-ref', '--format=%(refname) %(objectname)'),
	head: read(join(root, '.git/HEAD')),
	stash: git(root, 'stash', 'list', '--format=%H'),
	index: hash(readFileSync(join(root, '.git/index'))),
	gitFiles: gitFiles(root),
	files: filesBelow(root),
});

/** Returns hashes of all files of a folder except its git folder, by path; invalid bytes are read as Latin-1. */
export const filesBelow = (root: string, folder = ''): Record<string, string> => {
	const found: Record<string, string> = {};
	for (const name of readdirSync(bytes(root, folder), {encoding: 'latin1'}).toSorted()) {
		const path = folder === '' ? name : `${folder}/${name}`;
		const entry = lstatSync(bytes(root, path));
		if (path === '.git') {
			continue;
		}

		if (entry.isDirectory()) {
			Object.assign(found, filesBelow(root, path));
		} else if (entry.isSymbolicLink()) {
			found[path] = `link to ${readlinkSync(bytes(root, path))}`;
		} else {
			const mode = (entry.mode & 0o777).toString(8);
			found[path] = `${mode} ${hash(readFileSync(bytes(root, path)))}`;
		}
	}

	return found;
};

const bytes = (root: string, path: string): Buffer =>
	Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);

/** Returns the contents of configuration, hooks, exclude rules, reflogs and files of a running command. */
const gitFiles = (root: string): Record<string, string> =>
	Object.fromEntries(
		readdirSync(join(root, '.git'), {recursive: true, withFileTypes: true})
			.filter(entry => entry.isFile())
			.map(entry => join(entry.parentPath, entry.name))
			.filter(path => !/\/\.git\/(?:objects\/|index$)/.test(path))
			.toSorted()
			.map(path => [path, hash(readFileSync(path))]),
	);

const read = (path: string): string => readFileSync(path, 'utf8');

const hash = (bytes: Uint8Array): string =>
	createHash('sha256').update(bytes).digest('hex').slice(0, 12);
