import type {Stats} from 'node:fs';
import {posix} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {Body} from '../../events/event.ts';
import {gitLocationOf, type Repository} from '../../git/repository/repository.ts';
import {entryOnDisk} from '../../git/tree/disk-path.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {type TreeWatch, watchTree} from '../../lib/files/watch-tree.ts';
import type {State} from '../../state/state.ts';
import {isDocument} from '../documents/documents.ts';

/** Sees which files of the person's checkout are written while agents are at work. */
export type CheckoutWatch = {
	/** Called before a turn begins: what was written while nobody was at work is the person's own. */
	readonly begin: (agent: string) => Promise<void>;
	/** Reports what was written since the last look, and forgets an agent whose turn is over. */
	readonly look: (over?: string) => Promise<void>;
	readonly close: () => void;
};

type Watched = {
	readonly repository: Repository;
	readonly state: () => State;
	/** Turns that run. */
	readonly turns: {readonly size: number};
	readonly report: (body: Body) => void;
	/** Returns whether agents can write nothing but what is theirs, so that what is written is not their doing. */
	readonly areShutIn: () => boolean;
};

/** Files at the last look. */
type Seen = {
	readonly tip: string | undefined;
	readonly files: ReadonlyMap<string, string>;
	/** When it was looked at. */
	readonly atMs: number;
};

/**
Creates what sees that.

Without a sandbox nothing keeps an agent from files outside its worktree, and no system tells who wrote one; so it is told when that was. It looks before and after turns and at checkpoints, at the sizes and times of the files that the target tracks, and asks no git about them: an agent may have named a program in its settings. Folders with such files are watched meanwhile, so that files are only looked at after a hint, or after minutes without one.
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
			// What was written just now is heard of in the next whole round of the event loop.
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

	// One after the other, and a look that fails is no agent's affair.
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
				// What a move of ours writes is nobody else's; the next turn begins anew.
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

/** How long nothing is looked at without a hint: a write through `mmap` gives none. */
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

/** More are not looked at: a look would take seconds. */
const mostFiles = 20_000;
const atOnce = 256;
const mostPaths = 20;

/** A merge or an undo writes files before it moves the branch. */
const isBeingMoved = ({merge, interrupted, publications}: State): boolean =>
	merge.phase === 'intended' ||
	interrupted.length > 0 ||
	publications.some(({intent}) => intent !== undefined);

const standOf = (entry: Stats | undefined): string =>
	entry === undefined ? 'gone' : [entry.mode, entry.size, entry.mtimeMs, entry.ino].join();
