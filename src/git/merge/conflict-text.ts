import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';
import {contentsOf} from '../tree/blobs.ts';
import {type Entry, submoduleMode} from '../tree/entry.ts';

/** The three contents of a conflicted path; a side without it counts as an empty file. */
export type ConflictSides = {
	readonly base?: Entry;
	readonly ours?: Entry;
	readonly theirs?: Entry;
	/** What the marks call each side. */
	readonly labels: {readonly base: string; readonly ours: string; readonly theirs: string};
};

/** A merged text with marks where the sides differ, or the word that there can't be one. */
export type ConflictText =
	| {readonly kind: 'text'; readonly text: Buffer; readonly conflicts: number}
	| {readonly kind: 'binary'};

/** Long enough that a mark in a file's own content is not taken for one. */
const markerSize = 15;

/** Merges three contents line by line and returns the text, diff3 marks included. */
export const conflictText = async (store: Store, sides: ConflictSides): Promise<ConflictText> => {
	const contents = await sideContents(store, sides);
	if (contents.some(([, content]) => isBinary(content))) {
		return {kind: 'binary'};
	}

	const folder = await mkdtemp(join(store.gitDir, 'merge-'));
	try {
		await Promise.all(contents.map(([name, content]) => writeFile(join(folder, name), content)));
		const files = sideNames.map(name => join(folder, name));
		return await mergeFiles(store, files, sides.labels);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

/** Whether a text still holds a mark that `conflictText` wrote. */
export const hasMarkers = (text: Buffer): boolean => markers.test(text.toString('latin1'));

const markers = new RegExp(
	`^(?:<{${markerSize}}|\\|{${markerSize}}|>{${markerSize}})(?: |\\r?$)`,
	'm',
);

/** In the order that `git merge-file` wants them. */
const sideNames = ['ours', 'base', 'theirs'] as const;

type SideName = (typeof sideNames)[number];

const sideContents = async (
	store: Store,
	sides: ConflictSides,
): Promise<readonly (readonly [SideName, Buffer])[]> => {
	const oids = sideNames.flatMap(name => {
		const entry = sides[name];
		return entry === undefined || entry.mode === submoduleMode ? [] : [[name, entry.oid] as const];
	});
	const contents = await contentsOf(store, new Map(oids));
	return sideNames.map(name => [name, contents.get(name) ?? Buffer.alloc(0)]);
};

/** Git's own rule: a NUL byte near the start. */
const isBinary = (content: Buffer): boolean => content.subarray(0, 8000).includes(0);

/** The exit code counts the conflicts, up to 127; above that it is an error. */
const conflictCounts = [...Array(128).keys()];

const mergeFiles = async (
	store: Store,
	files: readonly string[],
	labels: ConflictSides['labels'],
): Promise<ConflictText> => {
	const names = sideNames.flatMap(name => ['-L', labels[name]]);
	const options = ['--stdout', '--diff3', `--marker-size=${markerSize}`];
	const args = ['merge-file', ...options, ...names, ...files];
	const result = await sealed(store, args, {expect: conflictCounts});
	return {kind: 'text', text: result.stdout, conflicts: result.code};
};
