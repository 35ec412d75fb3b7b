import {readBlob} from '../../git/tree/blobs.ts';
import {entriesAt, submoduleMode} from '../../git/tree/entry.ts';
import type {ItemOf} from '../../state/item.ts';
import type {Seen} from '../../state/items/kind.ts';
import type {ResolvedFile} from '../../state/merge/merge.ts';
import {agentOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {isMarked, wantedOf} from '../perform/resolution.ts';
import type {Works} from '../world.ts';

/** Returns what an arbiter's pinned work holds at the conflicted files, as if a person had made it by hand. */
export const seeProposal = async (
	{store}: Works,
	state: State,
	item: ItemOf<'conflict'>,
	agent: string,
): Promise<Seen> => {
	const arbiter = agentOf(state, agent);
	const snapshot = arbiter && lastSnapshot(arbiter);
	if (snapshot === undefined) {
		return {};
	}

	const paths = wantedOf(item).map(({path}) => path);
	const entries = await entriesAt(store, snapshot.work, paths);
	const marked: string[] = [];
	const files: ResolvedFile[] = [];
	for (const path of paths) {
		const entry = entries.get(path) ?? null;
		files.push({path, entry});
		const isLeft =
			entry !== null &&
			entry.mode !== submoduleMode &&
			(await isMarked(store, item, await readBlob(store, entry.oid)));
		marked.push(...(isLeft ? [path] : []));
	}

	return {marked, files};
};
