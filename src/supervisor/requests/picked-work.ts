import type {Input} from '../../conflicts/input.ts';
import {withTemporaryIndex} from '../../git/index/temporary-index.ts';
import {conflictText} from '../../git/merge/conflict-text.ts';
import {lineOf} from '../../git/process/result.ts';
import {sealed} from '../../git/process/sealed.ts';
import type {Store} from '../../git/store/store.ts';
import {takeOverAll} from '../../git/store/take-over.ts';
import {readBlob} from '../../git/tree/blobs.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import type {Entry} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import type {ResolvedFile} from '../../state/merge/merge.ts';

/**
Returns the files of an agent's work as far as a patch takes them; nothing else of it is in them, and nothing that it did not write.

Git applies the patch to what the agent started from. Of a text that both changed it then has to merge what was taken with the whole work into just that work: so hunks may be left out, and not a byte may be put in. Whatever was moved, added, removed or is no text is taken whole.

@throws `Failure` of kind `refused` that names the first path which is not so.
*/
export const pickedWork = async (
	store: Store,
	{base, commit, owners}: Input,
	patch: Buffer,
): Promise<readonly ResolvedFile[]> => {
	const tree = await treeWith(store, base, patch);
	const picked = await changes(store, base, tree);
	const work = new Map((await changes(store, base, commit)).map(change => [change.path, change]));
	for (const change of picked) {
		const why = await whyNotPart(store, change, work.get(change.path));
		if (why !== undefined) {
			throw new Failure('refused', `The patch is no part of the work of ${owners.join()}: ${why}`, {
				hint: `Take what delegate-tui diff ${owners.join()} > FILE writes, and leave hunks or files out of it.`,
			});
		}
	}

	const files = picked.map(fileOf);
	await takeOverAll(
		store,
		files.flatMap(({entry}) => entry?.oid ?? []),
	);
	return files;
};

const treeWith = (store: Store, base: string, patch: Buffer): Promise<string> =>
	withTemporaryIndex(store, async index => {
		const place = {...store, index};
		await sealed(place, ['read-tree', base]);
		const applied = await sealed(place, ['apply', '--cached', '--whitespace=nowarn', '-'], {
			input: patch,
			expect: [0, 1, 128],
		});
		if (applied.code !== 0) {
			const [first = 'git says nothing'] = applied.stderr.toString().trim().split('\n');
			throw new Failure('refused', `The patch can't be applied: ${sanitize(first)}`, {
				hint: 'Leave whole hunks or files out of what delegate-tui diff writes, and change nothing else.',
			});
		}

		return lineOf(await sealed(place, ['write-tree']));
	});

const whyNotPart = async (
	store: Store,
	picked: Change,
	work: Change | undefined,
): Promise<string | undefined> => {
	const {path} = picked;
	if (work === undefined) {
		return `${path} is none of its files.`;
	}

	if (picked.status === 'D' || work.status === 'D') {
		return picked.status === work.status ? undefined : `${path} can only be taken whole.`;
	}

	if (isSame(picked.new, work.new)) {
		return undefined;
	}

	if (picked.status === 'A' || work.status === 'A' || picked.new.mode !== work.new.mode) {
		return `${path} can only be taken whole.`;
	}

	const merged = await conflictText(store, {
		...{base: work.old, ours: picked.new, theirs: work.new},
		labels: {base: 'base', ours: 'picked', theirs: 'work'},
	});
	if (merged.kind === 'binary') {
		return `${path} can only be taken whole.`;
	}

	const isPart = merged.conflicts === 0 && merged.text.equals(await readBlob(store, work.new.oid));
	return isPart ? undefined : `it changes ${path} in another way.`;
};

const isSame = (one: Entry, other: Entry): boolean =>
	one.oid === other.oid && one.mode === other.mode;

const fileOf = (change: Change): ResolvedFile => ({
	path: change.path,
	entry: change.status === 'D' ? null : change.new,
});
