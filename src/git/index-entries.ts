import {createHash} from 'node:crypto';
import {copyFile, readFile, rename, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Failure} from '../lib/failure.ts';
import {temporaryFolder} from '../lib/files/folders.ts';
import {ifThere, openRegularFile} from '../lib/files/reading.ts';
import {decodePath} from '../lib/text/byte-path.ts';
import {type GitResult, joinNul} from './process/result.ts';
import {type GitLocation, sealed, type WorktreeLocation} from './process/sealed.ts';
import type {Store} from './store/store.ts';
import type {Entry} from './tree/entry.ts';

type Entries = readonly (readonly [path: string, entry: Entry])[];

/**
Puts entries into an index; one in the way of another is replaced.

@throws `Failure` of kind `refused` for a path that git accepts in no index, such as `.git/config`.
*/
export const putEntries = async (location: GitLocation, entries: Entries): Promise<void> => {
	// Git skips such a path with a message on stderr, and exits with 0.
	const {stderr} = await offerEntries(location, entries);
	if (stderr !== '') {
		throw new Failure('refused', `Git refuses a path: ${stderr.trim()}`);
	}
};

/** Puts entries into an index, except for those whose paths git refuses. */
export const offerEntries = async (location: GitLocation, entries: Entries): Promise<GitResult> => {
	const lines = entries.map(([path, {mode, oid}]) => `${mode} ${oid}\t${path}`);
	return sealed(location, ['update-index', '-z', '--index-info'], {input: joinNul(lines)});
};

/** Removes paths from an index without looking at the disk, where a link may lead elsewhere. */
export const removeEntries = async (
	location: WorktreeLocation,
	paths: readonly string[],
): Promise<void> => {
	if (paths.length > 0) {
		await sealed(location, ['update-index', '--force-remove', '-z', '--stdin'], {
			input: joinNul(paths),
		});
	}
};

/**
Copies an index with its modification time; returns whether it exists.

Git compares a file's size and second with the index, and reads it only if the index is no younger. A copy that looked younger would hide an edit of the same size in that second for good.
*/
export const copyIndex = async (from: string, to: string): Promise<boolean> => {
	const found = await ifThere(stat(from));
	if (found === undefined) {
		return false;
	}

	await copyFile(from, to);
	await writtenAt(to, found.mtimeMs);
	return true;
};

const writtenAt = async (path: string, timeMs: number): Promise<void> => {
	const second = Math.floor(timeMs / 1000);
	await utimes(path, second, second);
};

/** What is known of a kept index. */
export type KeptIndex = {
	/** Paths of the files that git converted when it was written; absent if that is unknown. */
	readonly converted?: readonly string[] | undefined;
	/** The part of a sparse worktree that it contains, though the worktree doesn't. */
	readonly leftOut?: unknown;
};

/** Digests of the indexes that this process wrote, by path. */
const kept = new Map<string, KeptIndex & {readonly digest: string}>();

/** Moves an index to its place, and remembers its digest. */
export const keepIndex = async (from: string, to: string, known: KeptIndex): Promise<void> => {
	kept.set(to, {...known, digest: digestOf(await readFile(from))});
	await rename(from, to);
};

/** Keeps a copy of an index that is still in use. */
export const keepCopy = async (from: string, to: string, known: KeptIndex = {}): Promise<void> => {
	const copy = `${from}.kept`;
	await copyIndex(from, copy);
	await keepIndex(copy, to, known);
};

/**
Copies a kept index and returns what is known of it; returns nothing if another process wrote it.

Such an index may contain `--skip-worktree` flags, or the size and time of an edited file, so that git would miss the edit: an agent without a sandbox can write it. It is only a cache, so nothing is lost.
*/
export const copyKeptIndex = async (from: string, to: string): Promise<KeptIndex | undefined> => {
	const known = kept.get(from);
	const found = known && (await read(from).catch(() => undefined));
	if (found === undefined || digestOf(found.bytes) !== known?.digest) {
		return undefined;
	}

	await writeFile(to, found.bytes);
	await writtenAt(to, found.mtimeMs);
	return known;
};

const read = async (path: string) => {
	await using file = await openRegularFile(path);
	const [bytes, {mtimeMs}] = await Promise.all([file.readFile(), file.stat()]);
	return {bytes, mtimeMs};
};

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Lends the path of an index that doesn't exist yet, in a temporary folder, so that no lock of a killed git is in the way. */
export const withTemporaryIndex = async <Result>(
	store: Store,
	use: (index: string) => Promise<Result>,
): Promise<Result> => {
	await using folder = await temporaryFolder(join(store.gitDir, 'index-'));
	return await use(join(folder.path, 'index'));
};

/** Bytes of an entry before its object id: times, device, owner, size. */
const statBytes = 40;

/** Bytes between the id and the path: flags, with the path's length. */
const flagBytes = 2;

/** The flag of an entry with two more bytes of flags. */
const extended = 0x4000;

/** A limit on the paths' total length: in version 4 a few bytes repeat the whole path before them. */
const mostBytes = 64 * 1024 ** 2;

/**
Returns the paths in the bytes of an index, up to the first malformed entry.

An agent may have written it, so no git reads it.

@see gitformat-index(5)
@param idBytes 20 in a repository with SHA-1, 32 with SHA-256
*/
export function* pathsIn(bytes: Buffer, idBytes: number): Generator<string> {
	if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') {
		return;
	}

	const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
	let path = Buffer.alloc(0);
	let total = 0;
	for (let [start, number] = [12, 0]; number < count; number++) {
		const marks = start + statBytes + idBytes;
		if (marks + flagBytes > bytes.length) {
			return;
		}

		const more = bytes.readUInt16BE(marks) & extended ? flagBytes : 0;
		const shared = version === 4 ? prefix(bytes, marks + flagBytes + more) : undefined;
		const from = shared?.end ?? marks + flagBytes + more;
		const end = bytes.indexOf(0, from);
		if (end === -1) {
			return;
		}

		path = Buffer.concat([
			path.subarray(0, shared === undefined ? 0 : Math.max(0, path.length - shared.dropped)),
			bytes.subarray(from, end),
		]);
		total += path.length;
		if (total > mostBytes) {
			return;
		}

		yield decodePath(path);
		start = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
	}
}

/** Reads the number of bytes to drop from the previous path (version 4). */
const prefix = (bytes: Buffer, from: number): {readonly dropped: number; readonly end: number} => {
	let dropped = 0;
	for (let at = from; at < bytes.length; at++) {
		const byte = bytes.readUInt8(at);
		dropped = at === from ? byte & 0x7f : (dropped + 1) * 128 + (byte & 0x7f);
		if ((byte & 0x80) === 0) {
			return {dropped, end: at + 1};
		}
	}

	return {dropped: 0, end: bytes.length};
};
