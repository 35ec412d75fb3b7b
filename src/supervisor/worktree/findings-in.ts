import type {BodyOf} from '../../events/event.ts';
import {readRef, type Store} from '../../git/store/store.ts';
import {readBlob} from '../../git/tree/blobs.ts';
import {filesOf, type TreeFile} from '../../git/tree/tree-files.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';
import {readCall} from '../../signals/call.ts';
import type {Signal} from '../../signals/index.ts';
import {malformed} from '../../signals/malformed.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {snapshotRef, type World} from '../world.ts';

/** Where an agent may write down what it finds out: one JSON object a line, with the fields of the signal. */
const path = '.delegate/findings.jsonl';

/** A longer file is not read. */
const maximumBytes = 1024 ** 2;

/**
Returns what an agent has written into its file of findings since the snapshot before this one, as if it had said it.

It is read from the snapshots' trees, where nothing changes any more and no link leads anywhere. The one before is the one that is pinned before it: when two are taken at once, the state knows neither yet.
*/
export const findingsIn = async (
	{store, session}: World,
	{id, turn, snapshots}: Agent,
	{tree, number}: {readonly tree: string; readonly number: number},
): Promise<readonly BodyOf<'signal.said'>[]> => {
	const pinned = await readRef(store, snapshotRef(session, id, number - 1));
	const last = pinned ?? snapshots.at(-1)?.commit;
	const fileIn = async (treeish: string) => (await filesOf(store, treeish, path)).get(path);
	const [before, now] = await Promise.all([
		last === undefined ? undefined : fileIn(last),
		fileIn(tree),
	]);
	const said = now === undefined || now.oid === before?.oid ? [] : await news(store, before, now);
	return said.map(signal => ({
		kind: 'signal.said',
		agent: id,
		turn: turn.number,
		signal,
		offset: 0,
		by: 'file',
	}));
};

const news = async (
	store: Store,
	before: TreeFile | undefined,
	now: TreeFile,
): Promise<readonly Signal[]> => {
	if (now.bytes > maximumBytes) {
		return [malformed('finding', 1, `${path} holds more than 1 MiB.`, '')];
	}

	const isReadable = before !== undefined && before.bytes <= maximumBytes;
	const known = new Set(isReadable ? linesOf(await readBlob(store, before.oid)) : []);
	return readLines(linesOf(await readBlob(store, now.oid)), known);
};

/** A last line without its end is still being written. */
const linesOf = (content: Buffer): readonly string[] => content.toString().split('\n').slice(0, -1);

const readLines = (lines: readonly string[], known: ReadonlySet<string>): readonly Signal[] =>
	lines.flatMap((text, index) =>
		text.trim() === '' || known.has(text) ? [] : [readLine(text, index + 1)],
	);

const readLine = (text: string, line: number): Signal => {
	const fields = readJsonObject(text);
	const signal =
		(fields && readCall('finding', fields)) ??
		malformed('finding', line, 'It is no JSON object.', text);
	return signal.kind === 'malformed'
		? {...signal, line, reason: `Line ${line} of ${path}: ${signal.reason}`}
		: {...signal, line};
};
