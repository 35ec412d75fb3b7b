import type {Stats} from 'node:fs';
import {posix} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {Body} from '../../events/event.ts';
import {gitLocationOf, type Repository} from '../../git/repository/repository.ts';
import {entryOnDisk} from '../../git/tree/disk-path.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {type TreeWatch, watchTree} from '../../lib/files/watch-tree.ts';
import type {State} from '../../state/state.ts';
import {isDocument} from '../documents/documents.ts';

/** Detects which files of the person's checkout change while agents work. */
export type CheckoutWatch = {
	/** Called before a turn begins: files that changed while no agent worked are the person's own edits. */
	readonly begin: (agent: string) => Promise<void>;
	/** Reports the files that changed since the last look, and forgets an agent whose turn is over. */
	readonly look: (over?: string) => Promise<void>;
	readonly close: () => void;
};

type Watched = {
	readonly repository: Repository;
	readonly state: () => State;
	readonly turns: {readonly size: number};
	readonly report: (body: Body) => void;
	/** Returns whether agents can write only to their own files, so that changes of the checkout aren't theirs. */
	readonly areShutIn: () => boolean;
};

/** State of the files at the last look. */
type Seen = {
	readonly tip: string | undefined;
	readonly files: ReadonlyMap<string, string>;
	/** Time of the look. */
	readonly atMs: number;
};

/**
Creates the watch.

Without a sandbox an agent can write to files outside its worktree, and no system records the writer; so the report names the time. The watch looks before and after turns and at checkpoints, at the sizes and times of the target's tracked files. It doesn't ask git about them: an agent may have put a program into git's settings. It also watches the folders of these files, so that it looks at the files only after a hint, or after minutes without one.
*/
export const watchCheckout = ({
	repository,
	state,
	turns,
	report,
	areShutIn,
}: Watched): CheckoutWatch => {
	let seen: Seen | undefined;
	let atWork = new Set<string>();
	let folders: TreeWatch | undefined;
	const readNow = async (): Promise<Seen> => {
		const tip = state().session?.tip;
		if (seen !== undefined && seen.tip === tip && folders !== undefined) {
			// The watcher reports the latest writes in the next full round of the event loop.
			await setImmediate();
			await setImmediate();
			if (!(await folders.takeHint()) && performance.now() - seen.atMs < trustedMs) {
				return seen;
			}
		}

		const entries = tip === undefined ? [] : await entriesOf(gitLocationOf(repository), tip);
		const paths = [...new Map(entries).keys()].filter(path => !isDocument(path));
		if (folders === undefined || seen?.tip !== tip) {
			folders?.close();
			folders = watchFolders(repository.root, paths);
			await folders.takeHint();
		}

		const atMs = performance.now();
		const files = new Map<string, string>();
		for (let from = 0; from < Math.min(paths.length, mostFiles); from += atOnce) {
			const some = paths.slice(from, Math.min(from + atOnce, mostFiles));
			const found = await Promise.all(some.map(path => entryOnDisk(repository.root, path)));
			some.forEach((path, index) => void files.set(path, standOf(found[index])));
		}

		return {tip, files, atMs};
	};

	// Run the looks one after the other. A failed look must not fail an agent.
	let last = Promise.resolve();
	const inTurn = (act: () => Promise<void>): Promise<void> => {
		last = last.then(act).catch(() => folders?.renew());
		return last;
	};

	return {
		begin: agent =>
			inTurn(async () => {
				if (areShutIn()) {
					seen = undefined;
					return;
				}

				if (turns.size === 0 || seen === undefined) {
					atWork = new Set();
					seen = await readNow();
				}

				atWork.add(agent);
			}),
		look: over =>
			inTurn(async () => {
				const before = seen;
				// Our own move is the writer; the next turn starts from a new look.
				if (before === undefined || isBeingMoved(state())) {
					seen = undefined;
					return;
				}

				const now = await readNow();
				seen = now;
				const written = [...now.files].flatMap(([path, stand]) =>
					before.files.get(path) === stand ? [] : [path],
				);
				if (written.length > 0 && before.tip === now.tip && !isBeingMoved(state())) {
					const paths = written.slice(0, mostPaths);
					report({
						kind: 'machine.checkout',
						paths,
						count: written.length,
						agents: [...atWork].sort(),
					});
				}

				atWork.delete(over ?? '');
			}),
		close: () => folders?.close(),
	};
};

/** Longest time without a look if there is no hint, in milliseconds: a write through `mmap` gives none. */
const trustedMs = 300_000;

const watchFolders = (root: string, paths: readonly string[]): TreeWatch => {
	const tracked = new Set<string>();
	for (const path of paths) {
		for (let folder = posix.dirname(path); !tracked.has(folder); folder = posix.dirname(folder)) {
			tracked.add(folder);
		}
	}

	return watchTree(root, {
		ignored: async folders => new Set(folders.filter(folder => !tracked.has(folder))),
	});
};

/** Maximum number of files to look at: more would take seconds. */
const mostFiles = 20_000;
const atOnce = 256;
const mostPaths = 20;

/** Returns whether a merge or an undo is under way, which writes files before it moves the branch. */
const isBeingMoved = ({merge, interrupted, publications}: State): boolean =>
	merge.phase === 'intended' ||
	interrupted.length > 0 ||
	publications.some(({intent}) => intent !== undefined);

const standOf = (entry: Stats | undefined): string =>
	entry === undefined ? 'gone' : [entry.mode, entry.size, entry.mtimeMs, entry.ino].join();
