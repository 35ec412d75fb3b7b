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

/** What became of one leftover. */
export type Cleaned = {readonly leftover: Leftover; readonly failed?: string};

/** How long an object may be on its way to the ref that pins it, in milliseconds: another doctor may be at work here, or a supervisor have died. */
const youthMs = 86_400_000;

/**
Removes what is safe to remove, each after another look.

No supervisor starts meanwhile. Where one runs, what it may need is left alone: objects that nothing leads to yet.
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

/** Gives back the space of snapshots that were removed, or tells with each why that could not be done. */
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
Pins what the journals of sessions name by its id, so that it is there for as long as their snapshots are.

Those are pinned when they are taken. The work that was cut out of one, what it starts from and a file that was resolved by hand are only named by an event: to git they are garbage, and a session that rests, or is played again, needs them. A journal is read as text here, as one that is damaged names them, too.
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
	// What stands in the place of the folder is no absence: then nobody knows what is named.
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

/** A folder in which work of a session lies, and whose it is. */
export type KeptWork = {readonly of: string; readonly path: string};

/** Returns where the work of a session lies. The disk is asked, because a damaged journal may not know of all of it. */
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
