import {Failure} from '../lib/failure.ts';
import {diskFailure} from '../lib/files/disk-failure.ts';
import {encodeLine, type Header} from './codec.ts';
import type {SegmentFile} from './segment-file.ts';

/** What is appended: an entry without the number that the journal gives it. */
export type EntryBody = {
	readonly at: string;
	readonly kind: string;
	readonly seq?: never;
	readonly crc?: never;
};

export type CommitQueue = {
	/**
	Writes entries behind the last one, and resolves with their numbers once they are on the disk.

	Calls that come while the disk is busy share one write and one sync. After a failure this and every later call is refused with its cause: a sync that failed may report success when it is tried again, with the data gone.
	*/
	readonly append: <Body extends EntryBody>(
		bodies: readonly Body[],
	) => Promise<ReadonlyArray<Body & {readonly seq: number}>>;
	/** Waits for what was appended, then lets go of the file. */
	readonly close: () => Promise<void>;
};

type Options = {
	readonly segment: SegmentFile;
	/** `seq` of the next entry. */
	readonly next: number;
	readonly segmentBytes: number;
	readonly createSegment: (header: Header) => Promise<SegmentFile>;
};

type Waiting = {
	readonly first: number;
	readonly text: string;
	readonly resolve: () => void;
	readonly reject: (failure: Failure) => void;
};

/** Numbers entries and brings them to the disk in that order, many at a time. */
export const commitQueue = (options: Options): CommitQueue => {
	let {segment, next} = options;
	let waiting: Waiting[] = [];
	let draining: Promise<void> | undefined;
	let refusal: Failure | undefined;

	const drain = async (): Promise<void> => {
		for (let [head] = waiting; head !== undefined; [head] = waiting) {
			const batch = waiting;
			waiting = [];
			try {
				await commit(batch, head.first);
				for (const {resolve} of batch) {
					resolve();
				}
			} catch (error) {
				refuseAll(batch, diskFailure('The journal could not be written', error));
			}
		}

		draining = undefined;
	};

	const refuseAll = (batch: readonly Waiting[], failure: Failure): void => {
		refusal = failure;
		for (const {reject} of [...batch, ...waiting]) {
			reject(failure);
		}

		waiting = [];
	};

	const commit = async (batch: readonly Waiting[], first: number): Promise<void> => {
		const bytes = Buffer.from(batch.map(({text}) => text).join(''));
		if (segment.header.first !== first && segment.size() + bytes.length > options.segmentBytes) {
			const full = segment;
			const {header} = full;
			segment = await options.createSegment({...header, segment: header.segment + 1, first});
			await full.close();
		}

		await segment.append(bytes);
	};

	return {
		append: async bodies => {
			if (refusal !== undefined) {
				throw refusal;
			}

			const entries = bodies.map((body, index) => numbered(next + index, body));
			const text = entries.map(encodeLine).join('');
			const first = next;
			next += entries.length;
			await new Promise<void>((resolve, reject) => {
				waiting.push({first, text, resolve, reject});
				draining ??= drain();
			});
			return entries;
		},
		close: async () => {
			refusal ??= new Failure('internal', 'The journal is closed.');
			await draining;
			try {
				await segment.close();
			} catch (error) {
				throw diskFailure('The journal could not be closed', error);
			}
		},
	};
};

const numbered = <Body extends EntryBody>(
	seq: number,
	body: Body,
): Body & {readonly seq: number} => {
	if ('seq' in body) {
		throw new Failure('internal', 'An entry of the journal can’t bring a number of its own.');
	}

	return Object.assign({seq, at: body.at, kind: body.kind}, body);
};
