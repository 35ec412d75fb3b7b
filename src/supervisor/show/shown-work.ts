import type {Store} from '../../git/store/store.ts';
import {type ChangedFile, changedFiles} from '../../git/tree/changed-files.ts';
import {changes} from '../../git/tree/changes.ts';
import {plainPatch, treesOf} from '../../git/tree/graft.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import {type PlanCommands, surfacings} from '../../rules/runs-by-itself.ts';
import {surfacingsOf} from '../worktree/escaping-links.ts';

/** Commits or trees between which a work lies. */
export type CommitRange = readonly [from: string, to: string];

/** How a work is shown: by the commands of its plan, and with no more changed lines than these. */
export type Showing = {readonly commands: PlanCommands; readonly most?: number};

/** Most changed lines of a work that are shown; nobody reads more in one piece. With what stands around each of them a diff has at most eight times as many. */
const mostLines = 20_000;

/**
Lists the changed files of a work, with those that its diff leaves out since they are too long.

A long file hides no other: what runs by itself or leads elsewhere is shown before all else, and of the rest the shortest files are.
*/
export const listFiles = async (
	store: Store,
	range: CommitRange,
	{commands, most = mostLines}: Showing,
): Promise<readonly ListedFile[]> => {
	const files = await changedFiles(store, range, {renames: true});
	const surface = new Set(files.filter(file => isSurface(file, commands)));
	const rest = files.filter(file => !surface.has(file));
	const shown = new Set<ChangedFile>();
	let left = most;
	for (const file of [...surface, ...rest.toSorted((one, other) => room(one) - room(other))]) {
		if (room(file) <= left) {
			shown.add(file);
			left -= room(file);
		}
	}

	return files.map(file => ({...file, shown: shown.has(file)}));
};

/** Its name takes a line as well. */
const room = ({added, removed}: ChangedFile): number => (added ?? 0) + (removed ?? 0) + 1;

const isSurface = ({path, from, modes}: ChangedFile, commands: PlanCommands): boolean => {
	const [before, after] = modes.map(mode => (mode === noMode ? undefined : mode));
	const change = from === undefined ? {path, before, after} : {path, before: undefined, after};
	return (
		surfacings(change, commands).length > 0 ||
		(from !== undefined && surfacings({path: from, before, after: undefined}, commands).length > 0)
	);
};

const noMode = '000000';

/**
Returns what leads from one commit to another as a unified diff, without the files that are too long, what runs by itself or leads elsewhere before all else.

People read the beginning of what is long. Each half is a diff of its own, so a move out of the surface is told as what it is: something of the surface goes.
*/
export const shownPatch = async (
	store: Store,
	range: CommitRange,
	showing: Showing,
): Promise<string> => {
	const [changed, listed] = await Promise.all([
		changes(store, ...range),
		listFiles(store, range, showing),
	]);
	const left = new Set(
		listed.filter(({shown}) => !shown).flatMap(({path, from = path}) => [path, from]),
	);
	const halves = [true, false].map(first =>
		changed.filter(
			change =>
				!left.has(change.path) && surfacingsOf(change, showing.commands).length > 0 === first,
		),
	);
	const patches = halves.map(async half => {
		if (half.length === 0 || half.length === changed.length) {
			return half.length === 0 ? '' : plainPatch(store, ...range);
		}

		const {before, after} = await treesOf(store, half);
		return plainPatch(store, before, after);
	});
	return (await Promise.all(patches)).join('');
};
