import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Body, BodyOf, Claim} from '../../events/event.ts';
import type {HiddenWork} from '../../events/model-trouble.ts';
import {markersLeft} from '../../git/merge/conflict-text.ts';
import {copyBorrowed} from '../../git/store/copy-borrowed.ts';
import {commitTree, readRef, type Store} from '../../git/store/store.ts';
import {blobSizes, readBlob} from '../../git/tree/blobs.ts';
import {changedFiles, sumOfLines} from '../../git/tree/changed-files.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {graft} from '../../git/tree/graft.ts';
import {revertPossible, type Stuck} from '../../git/worktree/revert-paths.ts';
import {type TakenSnapshot, takeSnapshot} from '../../git/worktree/snapshot/snapshot.ts';
import {Failure} from '../../lib/failure.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {defined} from '../../lib/values.ts';
import {unshownNotes} from '../../rules/listed-file.ts';
import {readCall} from '../../signals/call.ts';
import {malformed} from '../../signals/fields/unreadable.ts';
import type {Signal} from '../../signals/index.ts';
import {type Agent, lastSnapshot, markedFor, type Snapshot} from '../../state/agent/agent.ts';
import {type Claimed, claimed} from '../../state/agent/claimed.ts';
import {isLive, itemsOf} from '../../state/select.ts';
import {type CommitRange, listFiles} from '../show/shown-work.ts';
import {requireSession, snapshotRef, type World} from '../world.ts';
import {bringGitBack, type Reverted} from './bring-git-back.ts';
import {leftOutBy, unfinishedIn} from './change-worktree.ts';
import {isTimed} from './due.ts';
import {surfaceIn} from './escaping-links.ts';
import {hiddenIn} from './hidden-in.ts';
import {type Judged, judgeChanges} from './judge.ts';
import {lostEdits} from './lost-edits.ts';

/**
Takes a snapshot of an agent's worktree, derives its mergeable work, and reverts changes outside the scope.

In this order, so that the snapshot contains the reverted changes; a patch keeps them as well.
*/
export const capture = (world: World, agent: Agent, reason: string): Promise<readonly Body[]> =>
	world.serially(agent.id, async () => {
		// First report forbidden actions and writes elsewhere, so that a person who looks at the snapshot sees them.
		await (isTimed(reason) ? undefined : world.turns.get(agent.id)?.tellTried());
		if ((await unfinishedIn(world.folder.agent(agent.id))) !== undefined) {
			throw new Failure('internal', `The worktree of ${agent.id} is incomplete.`, {
				hint: 'It is repaired when the agent starts again.',
			});
		}

		return captureNow(world, agent, reason);
	});

/** Marks a snapshot as a checkpoint that the agent didn't declare. */
export const asCheckpoint = (bodies: readonly Body[]): readonly Body[] =>
	bodies.map(body => (body.kind === 'snapshot.taken' ? {...body, checkpoint: true} : body));

/** Captures a worktree while the caller holds the agent's lane. */
export const captureNow = async (
	world: World,
	agent: Agent,
	reason: string,
): Promise<readonly Body[]> => {
	if (agent.workspace.phase !== 'ready') {
		return [];
	}

	const {base, baseline} = agent.workspace;
	const folder = world.folder.agent(agent.id);
	const number = await world.nextSnapshot(agent.id);
	const at = world.now();
	const snapshot = await takeSnapshot(world.store, {
		tree: folder.tree,
		index: folder.index,
		parents: [lastSnapshot(agent)?.commit ?? base],
		ref: snapshotRef(world.session, agent.id, number),
		message: `${agent.id} snapshot ${number} (${reason})`,
		at,
		isThorough: number % thoroughEvery === 2,
		leftOut: leftOutBy(agent),
	});
	const judged = await judgeChanges(world.store, agent.subtask.scope, baseline, snapshot.tree);
	const inTree = await putAllBack(world, agent, judged, number);
	const ofGit = await bringGitBack(world, agent, number);
	const stuck = [...inTree.stuck, ...ofGit.stuck];
	const found = await findingsIn(world, agent, {tree: snapshot.tree, number});
	const hidden = isLive(agent)
		? []
		: await hiddenIn(world, agent, {now: snapshot.tree, rules: baseline});
	return [
		...found,
		await taken(world, agent, {snapshot, judged, stuck, hidden, reason, number, base, at}),
		...inTree.left,
		...ofGit.left,
	];
};

/** Every eighth snapshot is thorough, and the second one too: to the first, files that were just made may look changed. */
const thoroughEvery = 8;

type Taken = {
	readonly snapshot: TakenSnapshot;
	readonly judged: Judged;
	readonly stuck: readonly string[];
	readonly hidden: readonly HiddenWork[];
	readonly reason: string;
	readonly number: number;
	readonly base: string;
	readonly at: string;
};

const taken = async (
	world: World,
	agent: Agent,
	{snapshot, judged, stuck, hidden, reason, number, base, at}: Taken,
): Promise<BodyOf<'snapshot.taken'>> => {
	const surface = await surfaceIn(world.store, judged.inside, requireSession(world.state()).plan);
	const {tree} = snapshot;
	const workTree = await graft(world.store, {onto: base, changes: judged.inside});
	if (workTree !== tree) {
		await copyBorrowed(world.store, {of: [workTree], beyond: [base, tree]});
	}

	const range = [base, workTree] as const;
	const notes = await notesOn(world, agent, {range, tree, reason});
	return {
		kind: 'snapshot.taken',
		agent: agent.id,
		number,
		reason,
		commit: snapshot.commit,
		tree,
		work: await commitTree(world.store, {
			tree: workTree,
			parents: [base],
			message: `${agent.id}: ${agent.subtask.subtask}`,
			at,
		}),
		files: judged.inside.length,
		...(agent.subtask.bestOf === undefined
			? {}
			: {lines: sumOfLines(await changedFiles(world.store, range, {renames: false}))}),
		outside: judged.outside.map(({change}) => change.path),
		claims: await claimsIn(world, agent, {work: workTree, judged}),
		...(surface.length === 0 ? {} : {surface}),
		...(notes.length === 0 ? {} : {notes}),
		...(stuck.length === 0 ? {} : {stuck}),
		...(snapshot.skipped.length === 0 ? {} : {missed: snapshot.skipped}),
		...(hidden.length === 0 ? {} : {hidden}),
	};
};

/** Returns notes on a snapshot. Lines are counted only if a person may look: a working agent is pinned every minute, and no person is asked about that. */
const notesOn = async (
	{store, state}: World,
	agent: Agent,
	{range, tree, reason}: {readonly range: CommitRange} & Pick<Snapshot, 'tree' | 'reason'>,
): Promise<readonly string[]> => {
	if (isTimed(reason) && itemsOf(state(), agent.id).length === 0) {
		return [];
	}

	return [
		...(await lostEdits(store, agent.snapshots, tree)),
		...(await markersLeft(store, range[1], markedFor(agent))),
		...unshownNotes(await listFiles(store, range, {commands: requireSession(state()).plan})),
	];
};

const changeWords = {A: 'added', M: 'modified', T: 'modified', D: 'deleted'} as const;

/** Reverts violations; if the agent changes a path again meanwhile, the next look finds it. */
const putAllBack = async (
	world: World,
	agent: Agent,
	{outside}: Judged,
	number: number,
): Promise<Reverted> => {
	if (outside.length === 0) {
		return {left: [], stuck: []};
	}

	const folder = world.folder.agent(agent.id);
	const patchFile = folder.aside(number);
	await mkdir(dirname(patchFile), {recursive: true});
	try {
		const changes = outside.map(({change}) => change);
		const stuck = await revertPossible(world.store, {tree: folder.tree, changes, patchFile});
		return {left: leftScope(agent, outside, stuck, number), stuck: [...stuck.keys()]};
	} catch (error) {
		if (isLive(agent) && error instanceof Failure && error.kind === 'refused') {
			return {left: [], stuck: stillStuck(agent, outside)};
		}

		throw error;
	}
};

const stillStuck = (agent: Agent, outside: Judged['outside']): readonly string[] => {
	const paths = new Set(outside.map(({change}) => change.path));
	return (lastSnapshot(agent)?.stuck ?? []).filter(path => paths.has(path));
};

/** Reports violations; one that can't be reverted is reported once, and stays. */
const leftScope = (
	agent: Agent,
	outside: Judged['outside'],
	stuck: Stuck,
	number: number,
): readonly BodyOf<'scope.left'>[] => {
	const known = new Set(lastSnapshot(agent)?.stuck);
	return outside
		.filter(({change: {path}}) => !(stuck.has(path) && known.has(path)))
		.map(({change, why}) => {
			const cause = stuck.get(change.path);
			return {
				kind: 'scope.left',
				agent: agent.id,
				path: change.path,
				change: changeWords[change.status],
				why,
				patch: `${agent.id}/aside/${number}.patch`,
				...defined({stuck: cause}),
			};
		});
};

/** Returns an agent's claims about its work, beside git's data about the mergeable work. */
const claimsIn = async (
	{store, folder}: World,
	agent: Agent,
	{work, judged}: {readonly work: string; readonly judged: Judged},
): Promise<readonly Claim[]> => {
	const {tree} = folder.agent(agent.id);
	const said = claimed(agent).flatMap(one => {
		const path = pathIn(tree, one);
		return path === undefined ? [] : [{...one, path, claim: one.path}];
	});
	const there = await entriesAt(
		store,
		work,
		said.map(({path}) => path),
	);
	const changed = new Set(judged.inside.map(({path}) => path));
	const left = new Set([
		...judged.outside.map(({change}) => change.path),
		...agent.violations.filter(({refused}) => !refused).map(({path}) => path),
	]);
	return said.map(({path, as, claim}) => {
		const isThere = as === 'changed' ? changed.has(path) : there.has(path);
		if (left.has(path) && !changed.has(path)) {
			return {claim, holds: false, found: 'reverted'};
		}

		return isThere
			? {claim, holds: true}
			: {claim, holds: false, found: as === 'changed' ? 'unchanged' : 'missing'};
	});
};

/** Returns git's name of a path that an agent names; `undefined` for a delivery outside the worktree, which isn't checked. */
const pathIn = (tree: string, {path, as}: Claimed): string | undefined => {
	if (path.startsWith(`${tree}/`)) {
		return path.slice(tree.length + 1);
	}

	return path.startsWith('/') && as === 'delivered' ? undefined : path.replace(/^(?:\.\/)+/, '');
};

/** File into which an agent may write findings: one JSON object per line, with the fields of the signal. */
const path = '.delegate/findings.jsonl';

/** Maximum size of the file, in bytes; a larger one isn't read. */
const maximumBytes = 1024 ** 2;

/**
Returns the findings that an agent has written into its file since the previous snapshot, as signals.

It reads the snapshots' trees, in which nothing changes and links lead nowhere. The previous snapshot is found by its pin: when two are taken at once, the state knows neither yet.
*/
export const findingsIn = async (
	{store, session}: World,
	{id, turn, snapshots}: Agent,
	{tree, number}: {readonly tree: string; readonly number: number},
): Promise<readonly BodyOf<'signal.said'>[]> => {
	const pinned = await readRef(store, snapshotRef(session, id, number - 1));
	const last = pinned ?? snapshots.at(-1)?.commit;
	const fileIn = async (treeish: string) => {
		const entry = (await entriesAt(store, treeish, [path])).get(path);
		return entry?.mode.startsWith('100') ? entry.oid : undefined;
	};
	const [before, now] = await Promise.all([
		last === undefined ? undefined : fileIn(last),
		fileIn(tree),
	]);
	const said = now === undefined || now === before ? [] : await news(store, before, now);
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
	before: string | undefined,
	now: string,
): Promise<readonly Signal[]> => {
	const sizes = await blobSizes(store, before === undefined ? [now] : [before, now]);
	const isReadable = (oid: string) => (sizes.get(oid) ?? 0) <= maximumBytes;
	if (!isReadable(now)) {
		return [malformed('finding', 1, `${path} holds more than 1 MiB.`, '')];
	}

	const isKnown = before !== undefined && isReadable(before);
	const known = new Set(isKnown ? linesOf(await readBlob(store, before)) : []);
	return readLines(linesOf(await readBlob(store, now)), known);
};

/** Returns complete lines: a last line without its end is still being written. */
const linesOf = (content: Buffer): readonly string[] => content.toString().split('\n').slice(0, -1);

const readLines = (lines: readonly string[], known: ReadonlySet<string>): readonly Signal[] =>
	lines.flatMap((text, index) =>
		text.trim() === '' || known.has(text) ? [] : [readLine(text, index + 1)],
	);

const readLine = (text: string, line: number): Signal => {
	const fields = readJsonObject(text);
	const signal =
		(fields && readCall('finding', fields)) ??
		malformed('finding', line, 'It is not a JSON object.', text);
	return signal.kind === 'malformed'
		? {...signal, line, reason: `Line ${line} of ${path}: ${signal.reason}`}
		: {...signal, line};
};
