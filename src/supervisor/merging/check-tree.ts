import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir, open, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, relative} from 'node:path';
import {failureLocations} from '../../conflicts/checks/failure-locations.ts';
import {lockCommands} from '../../conflicts/detectors/file/git-conflicts.ts';
import type {EffectKey} from '../../events/effect-key.ts';
import type {FailureLocation, LogFile} from '../../events/event.ts';
import {checkoutTree} from '../../git/store/store.ts';
import {readBlobs} from '../../git/tree/blobs.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {readEnd} from '../../lib/files/reading.ts';
import type {Session} from '../../state/state.ts';
import {
	type CommandsWorld,
	networkOf,
	runForSession,
	type SessionOutcome,
} from '../machine/shell.ts';
import {removeWithSlot} from '../machine/slots.ts';
import {copyFromCheckout} from '../worktree/copy-from-checkout.ts';
import type {World} from '../world.ts';

/** What is checked, and why. */
export type CheckParts = {
	readonly key: EffectKey;
	/** Names its folder and its log among the session's checks. */
	readonly name: number | string;
	readonly commit: string;
};

/** What the plan's checks said of a commit. */
export type CheckOutcome = SessionOutcome & {
	readonly log: LogFile;
	/** Where it failed, as far as that can be read. */
	readonly places: readonly FailureLocation[];
};

/**
Runs the plan's checks on a commit, in a worktree of its own that is removed afterwards; the log stays.

The commands are the plan's, which a person approved, and not anything that the commit brings.

@returns `undefined` when nobody wants to know any more.
*/
export const checkTree = async (
	world: World,
	session: Session,
	{key, name, commit}: CheckParts,
): Promise<CheckOutcome | undefined> => {
	const {path} = world.folder.verify(name);
	return world.checks.run(key, path, signal => runCheck(world, session, {name, commit, signal}));
};

/** The part of the world that a check needs; a session that has ended has no more. */
export type CheckWorld = CommandsWorld & Pick<World, 'store' | 'repository'>;

type Run = Omit<CheckParts, 'key'> & {readonly signal: AbortSignal};

/** Runs the checks likewise, whoever wants to know; throws what the signal was aborted with. */
export const runCheck = async (
	world: CheckWorld,
	session: Session,
	{name, commit, signal}: Run,
): Promise<CheckOutcome> => {
	const {store, repository} = world;
	const {path, log} = world.folder.verify(name);
	await mkdir(dirname(log), {recursive: true});
	await rm(log, {force: true});
	try {
		const {tree} = await checkoutTree(store, {repository, commit, folder: path});
		await copyFromCheckout(world, session, tree);
		const {plan} = session;
		const run = {cwd: tree, purpose: ['verify', name], log, signal} as const;
		const marked = await markedLocks(world, commit, log);
		const before = marked ?? (await runForSession(world, plan.setup, run));
		const checked = before.ok
			? await runForSession(world, plan.verify, {...run, network: networkOf(plan)})
			: {ok: false, commands: []};
		const outcome = {...checked, commands: [...before.commands, ...checked.commands]};
		const places = outcome.ok ? [] : await failuresIn(world, {commit, log, root: tree});
		return {...outcome, log: await describe(world, log), places};
	} finally {
		await removeWithSlot(world.slots, path);
	}
};

/** Fails the check of a tree with conflict markers in a lock file, which a frozen install may take for granted: pnpm 12 does, and exits with 0. */
const markedLocks = async (
	{store}: Pick<World, 'store'>,
	commit: string,
	log: string,
): Promise<SessionOutcome | undefined> => {
	const locks = [...(await entriesOf(store, commit))].filter(([path]) =>
		lockCommands.has(basename(path)),
	);
	const contents = await readBlobs(
		store,
		locks.map(([, {oid}]) => oid),
	);
	const marked = locks.filter(([, {oid}]) => markers.test(`${contents.get(oid) ?? ''}`));
	if (marked.length === 0) {
		return undefined;
	}

	const command = `look for conflict markers in ${marked.map(([path]) => path).join(', ')}`;
	await writeFile(log, `${command}: there are some.\n`);
	return {ok: false, commands: [{command, code: 1}]};
};

const markers = /^[<>]{7}( |$)/m;

const failuresIn = async (
	{store}: Pick<World, 'store'>,
	{commit, log, root}: {readonly commit: string; readonly log: string; readonly root: string},
): Promise<readonly FailureLocation[]> => {
	const [output, entries] = await Promise.all([readLogEnd(log), entriesOf(store, commit)]);
	return failureLocations(output.replaceAll(`${root}/`, ''), entries.keys());
};

const describe = async (world: Pick<World, 'folder'>, log: string): Promise<LogFile> => {
	const hash = createHash('sha256');
	let bytes = 0;
	for await (const chunk of createReadStream(log)) {
		hash.update(chunk);
		bytes += chunk.length;
	}

	return {path: relative(world.folder.path, log), bytes, sha256: hash.digest('hex')};
};

/** As much of an output as is read again, in bytes: what failed stands near its end. */
const mostBytes = 2 ** 20;

/** Returns the end of a log. */
export const readLogEnd = async (log: string): Promise<string> => {
	await using file = await open(log);
	return await readEnd(file, mostBytes);
};
