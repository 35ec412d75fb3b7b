import type {Store} from '../../git/store/store.ts';
import {blobSizes, readBlobs} from '../../git/tree/blobs.ts';
import {type Entry, submoduleMode} from '../../git/tree/entry.ts';

/** What an entry holds, line by line; `undefined` where it is binary, too large to show, or not there. */
export type Texts = (entry: Entry | undefined) => readonly string[] | undefined;

/** Reads the texts of entries with two processes, however many they are. */
export const readTexts = async (
	store: Store,
	entries: Iterable<Entry | undefined>,
): Promise<Texts> => {
	const wanted = [...entries].filter(entry => entry !== undefined && entry.mode !== submoduleMode);
	const oids = new Set(wanted.flatMap(entry => (entry === undefined ? [] : [entry.oid])));
	if (oids.size === 0) {
		return () => undefined;
	}

	const sizes = await blobSizes(store, oids);
	const small = [...oids].filter(oid => (sizes.get(oid) ?? maxBytes) < maxBytes);
	const contents = small.length === 0 ? [] : await readBlobs(store, small);
	const lines = new Map([...contents].map(([oid, content]) => [oid, linesOf(content)]));
	return entry => (entry === undefined ? undefined : lines.get(entry.oid));
};

/** Nobody writes a larger text by hand, and evidence is only shown. */
const maxBytes = 2 * 2 ** 20;

/** Git's own rule of what is binary: a NUL byte near the start. */
const linesOf = (content: Buffer): readonly string[] | undefined =>
	content.subarray(0, 8000).includes(0)
		? undefined
		: content.toString('utf8').replace(/\n$/, '').split('\n');
