import type {Input} from '../../conflicts/input.ts';
import type {TakenFile} from '../../events/event.ts';
import {withTemporaryIndex} from '../../git/index-entries.ts';
import {conflictText} from '../../git/merge/conflict-text.ts';
import {lineOf} from '../../git/process/result.ts';
import {sealed} from '../../git/process/sealed.ts';
import {copyBorrowedAll} from '../../git/store/copy-borrowed.ts';
import type {Store} from '../../git/store/store.ts';
import {readBlob} from '../../git/tree/blobs.ts';
import {type Change, changes, renames} from '../../git/tree/changes.ts';
import {isSameEntry} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {allows} from '../../state/agent/scope.ts';
import type {ResolvedFile} from '../../state/merge/merge.ts';

/** Another agent's work, from which a patch may take the files that match the globs. */
export type OtherWork = {readonly input: Input; readonly globs: readonly string[]};

/**
Returns the files of an agent's work that a patch takes; they contain nothing but parts of that work.

Git applies the patch to the commit from which the agent started. For a text that both changed, merging the taken part with the whole work must give exactly that work: so a patch may leave out hunks, but not add a byte. A file that was moved, added or removed, or that isn't text, must be taken whole.

@throws `Failure` of kind `refused` that names the first path for which this is not true
*/
export const pickedWork = async (
	store: Store,
	input: Input,
	patch: Buffer,
	others: readonly OtherWork[] = [],
): Promise<readonly TakenFile[]> => {
	const tree = await treeWith(store, input.base, patch);
	const picked = await changes(store, input.base, tree);
	const works = await Promise.all(
		[{input, globs: []}, ...others].map(async ({input: {base, commit, owners}, globs}) => ({
			owners,
			like: {allowed: globs, forbidden: []},
			changed: new Map((await changes(store, base, commit)).map(change => [change.path, change])),
		})),
	);
	const files: TakenFile[] = [];
	for (const change of picked) {
		const whose = works.find(({like}) => allows(like, change.path)) ?? works[0];
		const owners = whose?.owners ?? [];
		const why = await whyNotPart(store, change, whose?.changed.get(change.path));
		if (why !== undefined) {
			throw new Failure(
				'refused',
				`The patch is not part of the work of ${owners.join()}: ${why}`,
				{
					hint: `Start from the output of delegate-tui diff ${owners.join()} > FILE, and remove hunks or files from it.`,
				},
			);
		}

		const isOther = whose !== works[0];
		files.push({...fileOf(change), ...(isOther ? {of: owners.join()} : {})});
	}

	await copyBorrowedAll(
		store,
		files.flatMap(({entry}) => entry?.oid ?? []),
	);
	return files;
};

/** Returns the changed files of a work that match globs, as they are in it; a rename matches by both names. */
export const filesLike = async (
	store: Store,
	{base, commit}: Input,
	globs: readonly string[],
): Promise<readonly ResolvedFile[]> => {
	const like = {allowed: globs, forbidden: []};
	const [changed, moved] = await Promise.all([
		changes(store, base, commit),
		renames(store, base, commit),
	]);
	const isNamed = (path: string): boolean => allows(like, path);
	const halves = new Set(
		moved.flatMap(({from, to}) => (isNamed(from) || isNamed(to) ? [from, to] : [])),
	);
	return changed.filter(({path}) => isNamed(path) || halves.has(path)).map(fileOf);
};

const treeWith = (store: Store, base: string, patch: Buffer): Promise<string> =>
	withTemporaryIndex(store, async index => {
		const location = {...store, index};
		await sealed(location, ['read-tree', base]);
		const applied = await sealed(location, ['apply', '--cached', '--whitespace=nowarn', '-'], {
			input: patch,
			expect: [0, 1, 128],
		});
		if (applied.code !== 0) {
			const [first = 'git says nothing'] = applied.stderr.toString().trim().split('\n');
			throw new Failure('refused', `The patch can’t be applied: ${sanitize(first)}`, {
				hint: 'Remove whole hunks or files from the output of delegate-tui diff, and change nothing else.',
			});
		}

		return lineOf(await sealed(location, ['write-tree']));
	});

const whyNotPart = async (
	store: Store,
	picked: Change,
	work: Change | undefined,
): Promise<string | undefined> => {
	const {path} = picked;
	if (work === undefined) {
		return `${path} is not one of its files.`;
	}

	if (picked.status === 'D' || work.status === 'D') {
		return picked.status === work.status ? undefined : `${path} can only be taken whole.`;
	}

	if (isSameEntry(picked.new, work.new)) {
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

const fileOf = (change: Change): ResolvedFile => ({
	path: change.path,
	entry: change.status === 'D' ? null : change.new,
});
