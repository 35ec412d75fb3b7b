import {readBlob} from '../../git/tree/blobs.ts';
import {type Entry, entriesAt, submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import type {ItemOf} from '../../state/item.ts';
import type {Seen} from '../../state/items/kind.ts';
import type {ResolvedFile} from '../../state/merge/merge.ts';
import {agentOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {isMarked, modeOf, type Wanted, wantedOf} from '../perform/resolution.ts';
import type {Works} from '../world.ts';

/**
Returns what an arbiter's pinned work holds at the conflicted files, as if a person had made it by hand.

@throws `Failure` when one of them is a link or a submodule although neither side has one.
*/
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

	const wanted = wantedOf(item);
	const entries = await entriesAt(
		store,
		snapshot.work,
		wanted.map(({path}) => path),
	);
	const marked: string[] = [];
	const files: ResolvedFile[] = [];
	for (const {path, modes} of wanted) {
		const found = entries.get(path);
		const entry = found === undefined ? null : proposedEntry({path, modes}, found);
		files.push({path, entry});
		const isLeft =
			entry !== null &&
			entry.mode !== submoduleMode &&
			(await isMarked(store, item, await readBlob(store, entry.oid)));
		marked.push(...(isLeft ? [path] : []));
	}

	return {marked, files};
};

/** Returns what is taken of a proposed file: it keeps the mode that it has on the sides. */
export const proposedEntry = ({path, modes}: Wanted, {mode, oid}: Entry): Entry => {
	if (mode !== symlinkMode && mode !== submoduleMode) {
		return {mode: modeOf(modes), oid};
	}

	if (!modes.includes(mode)) {
		const kind = mode === symlinkMode ? 'symbolic link' : 'submodule';
		throw new Failure(
			'refused',
			`In the proposal ${path} is a ${kind}, which it is on neither side of the conflict.`,
			{hint: 'send it back with a note, or resolve the conflict in another way'},
		);
	}

	return {mode, oid};
};
