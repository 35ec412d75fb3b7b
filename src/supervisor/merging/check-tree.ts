import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, relative} from 'node:path';
import {failureLocations} from '../../conflicts/checks/failure-locations.ts';
import type {Combination} from '../../conflicts/combine.ts';
import {lockTools} from '../../conflicts/detectors/file/git-conflicts.ts';
import type {EffectKey} from '../../events/effect-key.ts';
import type {BodyOf, FailureLocation, LogFile} from '../../events/event.ts';
import {survivingCheckout} from '../../git/repository/checkouts.ts';
import {checkoutTree, type Store} from '../../git/store/store.ts';
import {readBlobs} from '../../git/tree/blobs.ts';
import {changes} from '../../git/tree/changes.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {readEndAt} from '../../lib/files/reading.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {defined} from '../../lib/values.ts';
import type {Session, State} from '../../state/state.ts';
import {
	type CommandsWorld,
	networkOf,
	runForSession,
	type SessionOutcome,
} from '../machine/shell.ts';
import {removeWithSlot} from '../machine/slots.ts';
import {bringSubmodules, copyFromCheckout} from '../worktree/copy-from-checkout.ts';
import type {World} from '../world.ts';

/** A commit to check, and the effect that needs the result. */
export type CheckParts = {
	readonly key: EffectKey;
	/** Name of the check's folder and log in the session. */
	readonly name: number | string;
	readonly commit: string;
	/** Commands that must succeed before the plan's. */
	readonly installs?: readonly string[];
};

/** Result of the plan's checks on a commit. */
export type CheckOutcome = SessionOutcome &
	Pick<BodyOf<'verify.ended'>, 'places'> & {readonly log: LogFile};

/**
Runs the plan's checks on a commit, in a worktree of its own that is removed afterwards; keeps the log.

The commands come from the plan, which a person approved, never from the commit.

@returns `undefined` when the result is no longer needed
*/
export const checkTree = async (
	world: World,
	session: Session,
	{key, ...parts}: CheckParts,
): Promise<CheckOutcome | undefined> => {
	const {path} = world.folder.verify(parts.name);
	return world.checks.run(key, path, signal => runCheck(world, session, {...parts, signal}));
};

/** Part of the world that a check needs; an ended session has no more. */
export type CheckWorld = CommandsWorld & Pick<World, 'store' | 'repository'>;

type Run = Omit<CheckParts, 'key'> & {readonly signal: AbortSignal};

/** Runs the checks even if the state doesn't owe them; throws the signal's reason after an abort. */
export const runCheck = async (
	world: CheckWorld,
	session: Session,
	{name, commit, installs = [], signal}: Run,
): Promise<CheckOutcome> => {
	const {path, log} = world.folder.verify(name);
	await mkdir(dirname(log), {recursive: true});
	await rm(log, {force: true});
	return inCheckout(world, session, {commit, folder: path}, async tree => {
		const {plan} = session;
		const run = {cwd: tree, purpose: ['verify', name], log, signal} as const;
		const marked = await markedLocks(world, commit, log);
		// Package managers ask a registry about lock files, which the network of a check can't reach.
		const before = marked ?? (await runForSession(world, [...plan.setup, ...installs], run));
		const checked = before.ok
			? await runForSession(world, plan.verify, {...run, network: networkOf(plan)})
			: {ok: false, commands: []};
		const outcome = {...checked, commands: [...before.commands, ...checked.commands]};
		const places = outcome.ok ? [] : await failuresIn(world, {commit, log, root: tree});
		return {
			...outcome,
			log: await describe(world, log),
			...(places.length === 0 ? {} : {places}),
		};
	});
};

/** Checks out a commit into a temporary worktree for commands of the plan, with the files that the plan copies. */
export const inCheckout = async <Result>(
	world: CheckWorld,
	session: Session,
	{commit, folder}: {readonly commit: string; readonly folder: string},
	use: (tree: string) => Promise<Result>,
): Promise<Result> => {
	const {store, slots} = world;
	try {
		const repository = await survivingCheckout(world.repository);
		const {tree} = await checkoutTree(store, {repository, commit, folder});
		await bringSubmodules(world, session, {tree, commit});
		await copyFromCheckout(world, session, tree);
		return await use(tree);
	} finally {
		await removeWithSlot(slots, folder);
	}
};

/** Fails the check of a tree with conflict markers in a lock file. A frozen install may ignore them: pnpm 12 exits with 0. */
const markedLocks = async (
	{store}: Pick<World, 'store'>,
	commit: string,
	log: string,
): Promise<SessionOutcome | undefined> => {
	const locks = [...(await entriesOf(store, commit))].filter(([path]) =>
		lockTools.has(basename(path)),
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

/** Commands that check the lock files that several sides changed, and notes on those that can't be checked. */
export type LockChecks = {readonly installs: readonly string[]; readonly notes: readonly string[]};

/** Returns how to check lock files that several sides changed: git may merge them cleanly into one that a frozen install rejects. */
export const lockChecks = async (
	store: Store,
	{tree, steps}: Pick<Combination, 'tree' | 'steps'>,
	verify: readonly string[],
): Promise<LockChecks> => {
	const inputs = [...(steps[0]?.before ?? []), ...steps.map(({work}) => work)];
	const changed = await Promise.all(
		inputs.map(async ({base, commit, whole = commit}) => {
			const paths = (await changes(store, base, whole)).map(({path}) => path);
			return paths.filter(path => lockTools.has(basename(path)));
		}),
	);
	const paths = changed.flat();
	const shared = [...new Set(paths)].filter(
		path => paths.indexOf(path) !== paths.lastIndexOf(path),
	);
	const there = await entriesAt(store, tree, shared);
	const checks = shared
		.filter(path => there.has(path))
		.map(path => ({path, ...checkOf(path), isRun: verify.length > 0}));
	return {
		installs: checks.flatMap(({command, isHere, isRun}) =>
			command !== undefined && isHere && isRun ? [command] : [],
		),
		notes: checks.flatMap(({path, command, isHere, isRun}) => {
			const how = command === undefined ? 'a frozen install' : `\`${command}\``;
			const why = isRun ? 'that program is not here' : 'the plan has no verify';
			return command !== undefined && isHere && isRun
				? []
				: [
						`Several sides changed ${path}. ${how[0]?.toUpperCase()}${how.slice(1)} checks whether it is still consistent; it was not run${command === undefined ? '' : `: ${why}`}.`,
					];
		}),
	};
};

/** Returns the commands that check the lock files of the result. */
export const installsOf = ({merge}: Pick<State, 'merge'>): readonly string[] =>
	('built' in merge && merge.built.installs) || [];

const checkOf = (path: string): {readonly command?: string; readonly isHere: boolean} => {
	const frozen = lockTools.get(basename(path))?.frozen;
	const [program = ''] = frozen?.split(' ') ?? [];
	const folder = dirname(path);
	return {
		...defined({
			command:
				frozen === undefined || folder === '.' ? frozen : `cd ${inShell(folder)} && ${frozen}`,
		}),
		isHere: programPath(program, process.env.PATH) !== undefined,
	};
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

/** Maximum length of output to read, in bytes: failures are listed near its end. */
const mostBytes = 2 ** 20;

export const readLogEnd = (log: string): Promise<string> => readEndAt(log, mostBytes);
