import {wholeLines} from '../../conflicts/marked-text.ts';
import type {PickedPart} from '../../events/picked.ts';
import type {Store} from '../../git/store/store.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {rawPatchByPath} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';

/** A changed file, split into the pieces of its patch; its texts have one character per byte. */
export type FilePieces = {
	readonly path: string;
	/** Reason why it can only be taken as a whole, if any. */
	readonly whole: string | undefined;
	/** The diff header. */
	readonly head: string;
	readonly hunks: readonly HunkPiece[];
};

/** A hunk: its line in the new text, the number of lines that it adds, and its text. */
export type HunkPiece = {
	readonly line: number;
	readonly growth: number;
	readonly section: string;
	/** All lines but the first, with their line endings. */
	readonly lines: readonly string[];
	/** The hunk header, split around the line number in the new text. */
	readonly around: readonly [string, string];
};

/** Returns the difference between two commits, split into files and hunks. */
export const readPieces = async (
	store: Store,
	from: string,
	to: string,
): Promise<readonly FilePieces[]> => {
	const [changed, bytes] = await Promise.all([
		changes(store, from, to),
		rawPatchByPath(store, from, to),
	]);
	const sections = sectionsOf(wholeLines(bytes.toString('latin1')));
	// A file that becomes a link or stops being one is printed as a removal and an addition.
	const counts = changed.map(({status}) => (status === 'T' ? 2 : 1));
	if (counts.reduce((sum, count) => sum + count, 0) !== sections.length) {
		throw new Failure('internal', 'The parts of this work can’t be told apart.');
	}

	let at = 0;
	return changed.map((change, index) => {
		const start = at;
		at += counts[index] ?? 0;
		return piecesOf(change, sections.slice(start, at).flat());
	});
};

/** Returns a patch with these parts; throws if one of them doesn't exist. */
export const patchOfParts = (
	files: readonly FilePieces[],
	parts: readonly PickedPart[],
): Buffer => {
	const taken = new Map(parts.map(({file, hunks}) => [file, hunks]));
	const isThere = ({file, hunks}: PickedPart): boolean =>
		files[file] !== undefined &&
		(hunks === 'all' ||
			(hunks.length > 0 && hunks.every(hunk => files[file]?.hunks[hunk] !== undefined)));
	if (!parts.every(isThere)) {
		throw new Failure('refused', 'The parts that you picked are not in this work.', {
			hint: 'look at the work again',
		});
	}

	const patch = files.map((file, index) => {
		const hunks = taken.get(index);
		return hunks === undefined ? '' : filePatch(file, hunks);
	});
	return Buffer.from(patch.join(''), 'latin1');
};

/** Returns a file's patch with the taken hunks. Hunks that are left out shift the later ones, and git starts its search at the line in a hunk's header. */
const filePatch = ({head, hunks}: FilePieces, taken: PickedPart['hunks']): string => {
	let missing = 0;
	const kept = hunks.map(({line, growth, lines, around: [before, behind]}, index) => {
		if (taken !== 'all' && !taken.includes(index)) {
			missing += growth;
			return '';
		}

		return `${before}${line - missing}${behind}${lines.join('')}`;
	});
	return head + kept.join('');
};

/** Splits a patch by file: only the first line of a section begins with `diff --git`. */
const sectionsOf = (lines: readonly string[]): readonly (readonly string[])[] => {
	const sections: string[][] = [];
	for (const line of lines) {
		if (line.startsWith('diff --git ')) {
			sections.push([]);
		}

		sections.at(-1)?.push(line);
	}

	return sections;
};

const piecesOf = (change: Change, lines: readonly string[]): FilePieces => {
	const first = change.status === 'T' ? -1 : lines.findIndex(line => hunkHead.test(line));
	const end = first === -1 ? lines.length : first;
	return {
		path: change.path,
		whole: whyWhole(change, first !== -1),
		head: lines.slice(0, end).join(''),
		hunks: hunksOf(lines.slice(end)),
	};
};

const whyWhole = (change: Change, hasHunks: boolean): string | undefined => {
	switch (change.status) {
		case 'A':
			return 'new file';
		case 'D':
			return 'deleted';
		case 'T':
			return 'became something else';
		case 'M':
			return change.old.mode !== change.new.mode
				? `mode ${change.old.mode} → ${change.new.mode}`
				: !hasHunks
					? 'not text'
					: change.new.mode === '160000'
						? 'submodule'
						: undefined;
	}
};

const hunkHead = /^(@@ -\d+(?:,(\d+))? \+)(\d+)((?:,(\d+))? @@(.*))$/s;

const hunksOf = (lines: readonly string[]): readonly HunkPiece[] => {
	const hunks: (HunkPiece & {readonly lines: string[]})[] = [];
	for (const line of lines) {
		const [, before, old = '1', start, behind, fresh = '1', section] = hunkHead.exec(line) ?? [];
		if (before === undefined) {
			hunks.at(-1)?.lines.push(line);
			continue;
		}

		hunks.push({
			line: Number(start),
			growth: Number(fresh) - Number(old),
			section: (section ?? '').trim(),
			lines: [],
			around: [before, behind ?? ''],
		});
	}

	return hunks;
};
