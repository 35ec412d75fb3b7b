import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {
	joined,
	lineEndOf,
	type MarkedHunk,
	markedHunks,
	readMarked,
	type Segment,
	withLastLines,
	writeMarked,
} from '../../conflicts/marked-text.ts';
import {conflictText} from '../../git/merge/conflict-text.ts';
import {readBlob, writeBlob} from '../../git/tree/blobs.ts';
import {submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {
	type HunkPick,
	partsOf,
	type Standing,
	type Step,
	standingAfter,
	stepSchema,
} from '../../rules/by-hand/steps.ts';
import {handMadeIn, type ItemOf} from '../../state/item.ts';
import {
	type FileConflictItem,
	fileFolderClashIn,
	isBreakage,
} from '../../state/items/conflict/breakage.ts';
import {sidesOf, takenFrom, wantedOf} from '../perform/resolution.ts';
import type {Works} from '../world.ts';

/** A conflicted file in its resolution folder, in its current state; its texts have one character per byte. */
export type HandFile = {
	readonly folder: string;
	/** Folder inside it that contains the file. */
	readonly files: string;
	readonly path: string;
	/** The person's steps in order; a change by another program is a step too. */
	readonly steps: readonly Step[];
	readonly standing: Standing;
	/** Parsed text with its hunks; null if the file was removed. */
	readonly segments: readonly Segment[] | null;
	/** Returns the file after these steps, starting from git's merge. */
	readonly after: (steps: readonly Step[]) => Promise<HandFile>;
};

/** A file without hunks, of which a person can only take a whole side, and the reason. */
export type WholeFile = {readonly whole: string};

/**
Reads a conflicted file in its resolution folder.

@throws `Failure` of kind `refused` when the folder doesn't exist, or when the entry in place of the file can't be used.
*/
export const readHandFile = async (
	works: Works,
	item: ItemOf<'conflict'>,
): Promise<HandFile | WholeFile> => {
	const {path, manual} = item;
	if (manual.phase !== 'open') {
		throw new Failure('refused', `The folder of ${item.id} is not there yet.`);
	}

	if (isBreakage(item)) {
		return {
			whole:
				'Git merges it, so it has no conflict markers to resolve; its files are in the folder.',
		};
	}

	const whole = whyNoName(item) ?? whyWhole(item);
	const merged = whole === undefined ? await conflictText(works.store, sidesOf(item)) : undefined;
	if (merged?.kind !== 'text') {
		return {whole: whole ?? 'It is not text.'};
	}

	const {folder} = manual;
	const {markerSize, contents} = merged;
	const files = {
		left: contents.ours.toString('latin1'),
		base: contents.base.toString('latin1'),
		right: contents.theirs.toString('latin1'),
	};
	const read = (text: string) => withLastLines(readMarked(text, markerSize), files);
	const after = async (steps: readonly Step[]): Promise<HandFile> => {
		const standing = standingAfter(steps);
		const segments =
			standing.content === null
				? null
				: read(
						standing.content === undefined
							? merged.text.toString('latin1')
							: await textOf(works, standing.content),
					);
		return {folder, files: handMadeIn(manual), path, steps, standing, segments, after};
	};

	const kept = await after(await readSteps(folder));
	const [wanted] = wantedOf(item);
	const taken = wanted && (await takenFrom(handMadeIn(manual), wanted));
	return taken?.content.toString('latin1') === writtenText(kept)
		? kept
		: after([...kept.steps, await rewriteOf(works, taken?.content)]);
};

const stepsSchema = z.object({steps: z.array(stepSchema).readonly()});

/**
Reads the steps that a person has taken with the file of a resolution folder.

An unreadable record counts as none: the file itself is decisive, and its changes then count as one.
*/
const readSteps = async (folder: string): Promise<readonly Step[]> => {
	const text = await ifThere(readFile(stepsFile(folder), 'utf8'));
	return text === undefined ? [] : (stepsSchema.safeParse(readJsonObject(text)).data?.steps ?? []);
};

/** Saves the steps, so that a screen that is opened later continues from them. */
export const writeSteps = (folder: string, steps: readonly Step[]): Promise<void> =>
	writeAtomically(stepsFile(folder), `${JSON.stringify({steps}, undefined, '\t')}\n`);

const stepsFile = (folder: string): string => join(folder, 'steps.json');

/** Returns the number of hunks in a file, including settled ones. */
export const hunkCount = ({segments}: HandFile): number => markedHunks(segments ?? []).length;

const rewriteOf = async ({store}: Works, content: Buffer | undefined): Promise<Step> => ({
	do: 'rewrite',
	content: content === undefined ? null : await writeBlob(store, content),
});

const textOf = async ({store}: Works, oid: string): Promise<string> =>
	(await readBlob(store, oid)).toString('latin1');

/** Returns why a conflict can't be settled by lines even if its content is text; `undefined` if it may have hunks. */
export const whyWhole = ({
	a,
	b,
	stages,
}: Pick<FileConflictItem, 'a' | 'b' | 'stages'>): string | undefined => {
	if (stages.a === null || stages.b === null) {
		return whyOneSide(a.join('+'), b.join('+'), stages);
	}

	const modes = [stages.a.mode, stages.b.mode];
	if (modes.includes(submoduleMode)) {
		return 'It is a submodule: each side names a commit of another repository.';
	}

	if (modes.includes(symlinkMode)) {
		return 'It is a symbolic link on one side at least.';
	}

	return stages.a.oid === stages.b.oid
		? 'Both sides hold the same content, and differ only in the kind of file.'
		: undefined;
};

const whyOneSide = (a: string, b: string, stages: FileConflictItem['stages']): string => {
	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	if (stages.base === null || (stages.a === null && stages.b === null)) {
		return 'One side renamed this file.';
	}

	return `${gone} deleted it, and ${kept} changed it.`;
};

/** Returns an instruction for a file whose path is a folder on the other side; `undefined` for any other conflict. */
const whyNoName = (item: ItemOf<'conflict'>): string | undefined => {
	const clash = fileFolderClashIn(item);
	return (
		clash &&
		`${item[clash.file].join('+')} has a file at ${clash.path}, where ${item[clash.other].join('+')} has a folder or a link. Give one of them another name in its folder, or take a side.`
	);
};

/** Returns the text of a file with its settled hunks, and with conflict markers for the others; `undefined` if it was removed. */
export const writtenText = ({
	segments,
	standing,
}: Pick<HandFile, 'segments' | 'standing'>): string | undefined => {
	if (segments === null) {
		return undefined;
	}

	const hunks = markedHunks(segments);
	return writeMarked(segments, number => {
		const [hunk, pick] = [hunks[number], standing.picks.get(number)];
		return hunk === undefined || pick === undefined ? undefined : pickedText(hunk, pick);
	});
};

export const pickedText = (hunk: MarkedHunk, pick: HunkPick): string =>
	partsOf(pick)
		.map(part => hunk[part])
		.reduce((text, part) => joined(text, part, lineEndOf(hunk)));
