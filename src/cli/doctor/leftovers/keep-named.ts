import {lstat, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pinAll} from '../../../git/store/pinned.ts';
import {refsBelow, type Store} from '../../../git/store/store.ts';
import {ifThere} from '../../../lib/files/if-there.ts';
import type {SessionFolder} from '../../../supervisor/folder.ts';

/**
Pins what the journals of sessions name by its id, so that it is there for as long as their snapshots are.

Those are pinned when they are taken. The work that was cut out of one, what it starts from and a file that was resolved by hand are only named by an event: to git they are garbage, and a session that rests, or is played again, needs them. A journal is read as text here, as one that is damaged names them, too.
*/
export const keepNamed = async (
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
