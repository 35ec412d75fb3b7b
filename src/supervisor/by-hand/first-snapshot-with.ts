import {readBlobs} from '../../git/tree/blobs.ts';
import {blobsAt} from '../../git/tree/blobs-at.ts';
import type {Snapshot} from '../../state/agent/agent.ts';
import type {Works} from '../world.ts';

/** Lines that a side of a hunk holds, and those that it replaced; a character for each byte. */
export type Change = {readonly text: string; readonly before: string};

/** Returns the first snapshot whose work holds the lines of a change together at the path, or, where it only removed some, is without them. */
export const firstSnapshotWith = async (
	{store}: Works,
	snapshots: readonly Snapshot[],
	path: string,
	{text, before}: Change,
): Promise<Snapshot | undefined> => {
	const oids = await blobsAt(
		store,
		snapshots.map(({work}) => work),
		path,
	);
	const blobs = await readBlobs(
		store,
		oids.filter(oid => oid !== undefined),
	);
	return snapshots.find((_, index) => {
		const content = blobs.get(oids[index] ?? '')?.toString('latin1') ?? '';
		return text === '' ? !holds(content, before) : holds(content, text);
	});
};

/** Whether a text holds these lines, from the start of a line. */
const holds = (content: string, lines: string): boolean => `\n${content}`.includes(`\n${lines}`);
