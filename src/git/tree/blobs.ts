import {Failure} from '../../lib/failure.ts';
import {decodePath, encodePath} from '../../lib/text/byte-path.ts';
import {recall} from '../process/recall.ts';
import {type GitResult, joinLines} from '../process/result.ts';
import {type GitLocation, sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

export const readBlob = async (store: Store, oid: string): Promise<Buffer> =>
	(await sealed(store, ['cat-file', 'blob', oid])).stdout;

/** Returns the contents of blobs by id, with one process; missing ones are left out. */
export const readBlobs = async (
	store: Store,
	oids: Iterable<string>,
): Promise<ReadonlyMap<string, Buffer>> => {
	const {stdout} = await about(store, '--batch', oids);
	const blobs = new Map<string, Buffer>();
	for (let position = 0; position < stdout.length; ) {
		const start = stdout.indexOf('\n', position) + 1;
		const [oid = '', type, size] = stdout.toString('latin1', position, start - 1).split(' ');
		if (type === 'missing' || size === undefined) {
			position = start;
			continue;
		}

		const end = start + Number(size);
		blobs.set(oid, stdout.subarray(start, end));
		position = end + 1;
	}

	return blobs;
};

export type ObjectInfo = {readonly oid: string; readonly type: string; readonly bytes: number};

/** Looks up objects by their ids, or by names such as `HEAD:a.txt`, in their order; `undefined` for a missing one. */
export const lookUp = async (
	location: GitLocation,
	names: readonly string[],
): Promise<readonly (ObjectInfo | undefined)[]> => {
	const input = encodePath(joinLines(names));
	return infosIn(names, await sealed(location, ['cat-file', '--batch-check', '--buffer'], {input}));
};

const infosIn = (
	names: readonly string[],
	{stdout}: GitResult,
): readonly (ObjectInfo | undefined)[] => {
	const lines = stdout.toString('latin1').split('\n');
	return names.map((_, index) => {
		const [, oid = '', type, bytes] = /^([\da-f]+) (\w+) (\d+)$/.exec(lines[index] ?? '') ?? [];
		return type === undefined ? undefined : {oid, type, bytes: Number(bytes)};
	});
};

/** Returns the sizes of blobs by id; missing ones are left out. */
export const blobSizes = async (
	store: Store,
	oids: Iterable<string>,
): Promise<ReadonlyMap<string, number>> => {
	const ids = [...new Set(oids)];
	const found = infosIn(ids, await about(store, '--batch-check', ids));
	return new Map(
		found.flatMap(one => (one?.type === 'blob' ? [[one.oid, one.bytes] as const] : [])),
	);
};

/** Returns the contents of blobs by id, without missing ones, those larger than `most` bytes, and those beyond `together` bytes. */
export const readSmallBlobs = async (
	store: Store,
	oids: Iterable<string>,
	{most, together = Infinity}: {readonly most: number; readonly together?: number},
): Promise<ReadonlyMap<string, Buffer>> => {
	let left = together;
	const small: string[] = [];
	for (const [oid, bytes] of await blobSizes(store, oids)) {
		if (bytes <= Math.min(most, left)) {
			left -= bytes;
			small.push(oid);
		}
	}

	return readBlobs(store, small);
};

/** Asks git once for the same objects, unless one is missing, which may arrive later; asks nothing about none. */
const about = async (store: Store, how: string, oids: Iterable<string>): Promise<GitResult> => {
	const args = ['cat-file', how, '--buffer'];
	const input = joinLines(new Set(oids));
	return input === ''
		? {code: 0, stdout: Buffer.alloc(0), stderr: ''}
		: recall([store, args, input], () => sealed(store, args, {input}), {
				stays: ({stdout}) => !stdout.includes(' missing\n'),
			});
};

/**
Returns the contents of blobs by the caller's keys.

@throws `Failure` of kind `internal` when one is missing: lost content is not empty.
*/
export const contentsOf = async <Name>(
	store: Store,
	oids: ReadonlyMap<Name, string>,
): Promise<ReadonlyMap<Name, Buffer>> => {
	const blobs = await readBlobs(store, oids.values());
	const contents = [...oids].map(([name, oid]): [Name, Buffer] => {
		const content = blobs.get(oid);
		if (content === undefined) {
			throw new Failure('internal', `The object ${oid} is missing.`, {
				hint: 'git fsck shows what else is.',
			});
		}

		return [name, content];
	});
	return new Map(contents);
};

export const writeBlob = async (store: Store, content: Uint8Array): Promise<string> => {
	const {stdout} = await sealed(store, ['hash-object', '-w', '--stdin'], {input: content});
	return stdout.toString('utf8').trim();
};

/** Returns the paths in a tree (or commit) whose text contains each of these words, with one `git grep`. */
export const filesNaming = async (
	store: Store,
	tree: string,
	words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
	const found = new Map<string, Set<string>>(words.map(word => [word, new Set()]));
	if (words.length === 0) {
		return new Map();
	}

	const {stdout} = await sealed(store, ['grep', '-I', '-z', '-w', '-F', '-o', '-f', '-', tree], {
		input: words.join('\n'),
		expect: [0, 1],
	});
	for (const line of stdout.toString('latin1').split('\n')) {
		const [named = '', word = ''] = line
			.split('\0')
			.map(field => decodePath(Buffer.from(field, 'latin1')));
		found.get(word)?.add(named.slice(tree.length + 1));
	}

	return new Map([...found].map(([word, paths]) => [word, [...paths]]));
};
