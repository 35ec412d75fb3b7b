import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {extname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {openRepository} from '../../src/git/repository/repository.ts';
import {createHub} from '../../src/git/store/pin-hub.ts';
import {openStore, type Store} from '../../src/git/store/store.ts';
import {takeSnapshot} from '../../src/git/worktree/snapshot/snapshot.ts';
import {fileCount} from './snapshot-files.ts';

/** A person's repository of many files, and an agent's worktree of it. */
export type SnapshotWorld = AsyncDisposable & {
	/** The agent's worktree. */
	readonly tree: string;
	/** Commit that the worktree was made from. */
	readonly base: string;
	/** Index of a snapshot of the initial worktree. */
	readonly index: string;
	/** Folder for measurements. */
	readonly folder: string;
	/** Makes a store of a name, beside the others. */
	readonly makeStore: (name: string) => Promise<Store>;
};

/** Makes the world, without this machine's git configuration. */
export const makeSnapshotWorld = async (): Promise<SnapshotWorld> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-')));
	Object.assign(process.env, {
		HOME: folder,
		XDG_CONFIG_HOME: join(folder, 'config'),
		GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
		GIT_CONFIG_NOSYSTEM: '1',
	});
	const root = join(folder, 'project');
	const base = await makeRepository(root);
	const repository = await openRepository(root);
	const makeStore = (name: string) => openStore(join(folder, `${name}.git`), repository);
	const {tree} = await createHub({
		folder: join(folder, 'agent'),
		repository,
		base,
		branch: 'agent',
	});
	const index = join(folder, 'index');
	// With an index of the same second as the files, git would read them again each time.
	await wait(2000);
	await takeSnapshot(await makeStore('baseline'), {
		...snapshotParts(base),
		tree,
		index,
		ref: 'refs/delegate/baseline',
	});
	return {
		tree,
		base,
		index,
		folder,
		makeStore,
		[Symbol.asyncDispose]: () => rm(folder, {recursive: true, force: true}),
	};
};

/** Returns the common options of all snapshots. */
export const snapshotParts = (base: string) => ({
	parents: [base] as const,
	message: 'snapshot',
	at: '2026-11-21T20:00:00Z',
});

/** Gives files new content, the same for the same stamp. */
export const touch = async (
	root: string,
	numbers: readonly number[],
	stamp: string,
): Promise<void> => {
	// Beside this file, in a bundle as in the sources.
	const script = join(import.meta.dirname, `write-files${extname(import.meta.filename)}`);
	await execa(process.execPath, [script, root, stamp], {input: JSON.stringify(numbers)});
};

/** Runs git as people do and returns its output. */
export const git = async (cwd: string, ...words: readonly string[]): Promise<string> =>
	(await execa('git', words, {cwd})).stdout;

/** Makes a repository with all objects in one pack, as in a clone. */
const makeRepository = async (root: string): Promise<string> => {
	await mkdir(root);
	await git(root, 'init', '--quiet');
	const numbers = Array.from({length: fileCount}, (_, number) => number);
	await touch(root, numbers, 'base');
	await git(root, 'add', '--all');
	const person = ['-c', 'user.name=Ada Person', '-c', 'user.email=ada@example.org'];
	await git(root, ...person, 'commit', '--quiet', '--message', 'base');
	await git(root, 'repack', '--quiet', '-a', '-d');
	return git(root, 'rev-parse', 'HEAD');
};
