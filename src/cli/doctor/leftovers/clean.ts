import {lstat, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pinnedBases} from '../../../git/repository/base-ref.ts';
import {collectGarbage, pinAll} from '../../../git/store/pinned.ts';
import {refsBelow, type Store} from '../../../git/store/store.ts';
import {takeLock} from '../../../journal/lock.ts';
import {asFailure} from '../../../lib/failure.ts';
import {ifThere, isThere} from '../../../lib/files/reading.ts';
import type {SessionFolder} from '../../../supervisor/folder.ts';
import type {Leftover, LeftoverContext} from './leftover.ts';

/** Result of removing one leftover. */
export type Cleaned = {readonly leftover: Leftover; readonly failed?: string};

/** Time for which an unreferenced object is kept, in milliseconds: another doctor may be about to pin it, or a supervisor may have died before. */
const youthMs = 86_400_000;

/**
Removes the leftovers that are safe to remove, each after another look.

No supervisor starts meanwhile. If one is running, unreferenced objects are left alone, since it may need them.
*/
export const clean = async (
	context: LeftoverContext,
	leftovers: readonly Leftover[],
): Promise<readonly Cleaned[]> => {
	const lock = takeLock(context.here.folder.lock);
	try {
		const cleaned: Cleaned[] = [];
		for (const leftover of leftovers) {
			if (leftover.verdict.kind === 'safe') {
				cleaned.push(await removed(leftover));
			}
		}

		return lock ? await givenBack(context, cleaned) : cleaned;
	} finally {
		lock?.release();
	}
};

const removed = async (leftover: Leftover): Promise<Cleaned> => {
	try {
		await leftover.remove();
		return {leftover};
	} catch (error) {
		return {leftover, failed: asFailure(error).message};
	}
};

/** Frees the space of removed snapshots, or adds the reason why that failed. */
const givenBack = async (
	{here, store, sessions, now}: LeftoverContext,
	cleaned: readonly Cleaned[],
): Promise<readonly Cleaned[]> => {
	const isUnpinned = ({leftover, failed}: Cleaned): boolean =>
		leftover.kind === 'snapshots' && failed === undefined;
	if (!cleaned.some(isUnpinned)) {
		return cleaned;
	}

	try {
		await keepNamed(store, sessions);
		const bases = await pinnedBases(here.repository, '*');
		await collectGarbage(store, new Date(now.getTime() - youthMs), bases);
		return cleaned;
	} catch (error) {
		const failed = `their space could not be freed: ${asFailure(error).message}`;
		return cleaned.map(one => (isUnpinned(one) ? {...one, failed} : one));
	}
};

/**
Pins the objects that the journals of sessions name by id, for as long as their snapshots exist.

Snapshots are pinned when they are taken. The work cut out of one, its base and a file that was resolved by hand are only named by an event: for git they are garbage, but a paused or replayed session needs them. The journal is searched as text, since a damaged one names them, too.
*/
const keepNamed = async (
	store: Store,
	sessions: readonly {readonly id: string; readonly folder: SessionFolder}[],
): Promise<void> => {
	for (const {id, folder} of sessions) {
		const prefix = `refs/delegate/${id}`;
		if ((await refsBelow(store, prefix)).size > 0) {
			await pinAll(store, `${prefix}/named`, await idsIn(folder.journal));
		}
	}
};

const idsIn = async (journal: string): Promise<ReadonlySet<string>> => {
	const ids = new Set<string>();
	// If there is anything but a folder, it is unknown which objects are named.
	if ((await ifThere(lstat(journal))) === undefined) {
		return ids;
	}

	for (const name of await readdir(journal)) {
		const text = await readFile(join(journal, name), 'latin1');
		for (const [id] of text.matchAll(/\b(?:[\da-f]{40}|[\da-f]{64})\b/g)) {
			ids.add(id);
		}
	}

	return ids;
};

export type KeptWork = {readonly of: string; readonly path: string};

/** Returns the folders with work of a session, by looking at the disk, since a damaged journal may not name all of them. */
export const keptWork = async ({
	path,
	agent,
	resolution,
}: SessionFolder): Promise<readonly KeptWork[]> => {
	const [names, conflicts] = await Promise.all([namesIn(path), namesIn(join(path, 'resolutions'))]);
	const trees = names.map(name => ({of: name, path: agent(name).tree}));
	const there = await Promise.all(trees.map(tree => isThere(tree.path)));
	return [
		...trees.filter((_, index) => there[index]),
		...conflicts.map(name => ({of: `resolution of ${name}`, path: resolution(name)})),
	];
};

const namesIn = async (folder: string): Promise<readonly string[]> =>
	(await readdir(folder).catch(() => [])).toSorted();
