import {existsSync, lstatSync, mkdtempSync, rmSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {createServer} from 'node:net';
import {homedir, platform, tmpdir} from 'node:os';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {removeCheckout} from '../../git/store/store.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {isIn, removeFolder} from '../../lib/files/folders.ts';
import {readEndAt} from '../../lib/files/reading.ts';
import {isAlive, type ProcessIdentity} from '../../lib/process/processes.ts';
import {isSqliteError} from '../../lib/sqlite-error.ts';
import {withoutStop} from '../../lib/text/words.ts';
import {fillInAll, type SlotVariables} from '../../rules/plan/slot-variables.ts';
import type {State} from '../../state/state.ts';

/** Resources that worktrees on this machine must not share: ports, a temporary folder, a number for database names. */
export type Slots = {
	/** Returns variables that are unique to a worktree; they stay the same, even for another process, until its slot is released. */
	readonly variablesOf: (tree: string) => Promise<SlotVariables>;
	/** Releases the slots of all worktrees in a folder, and removes their temporary folders. */
	readonly giveUp: (folder: string) => Promise<void>;
	/** Releases the slots of all sessions in a repository's folder except one. */
	readonly giveUpOthers: (repository: string, session: string) => Promise<void>;
};

type SlotWorld = {
	readonly slots: Slots;
	readonly state: () => State;
	readonly environments?: {readonly get: (agent: string) => Readonly<Record<string, string>>};
};

/** Returns variables that are unique to a worktree, and those that the plan sets for it and for its agent. */
export const slotEnvironment = async (
	{slots, state, environments}: SlotWorld,
	tree: string,
	agent?: string,
): Promise<Readonly<Record<string, string>>> => {
	const slot = await slots.variablesOf(tree);
	const own = agent === undefined ? {} : environments?.get(agent);
	return {
		...slot,
		...(await apart(slot)),
		...fillInAll({...state().session?.plan.env, ...own}, slot),
	};
};

/**
Returns variables that keep the caches of tools apart. pnpm and uv hard-link files of their stores into each worktree, so an edit in one would change all; with these settings they copy them if the file system can't clone. Bun has no variable for that.

Turborepo has one cache for all worktrees, and its key leaves out files that git ignores: a test that fails in one worktree would pass with another's result. Cargo does the same with a shared target folder: it tells the packages of two worktrees apart only by the times of their files.
*/
const apart = async (
	{TMPDIR}: SlotVariables,
	environment = process.env,
): Promise<Readonly<Record<string, string>>> => ({
	pnpm_config_package_import_method: 'clone-or-copy',
	UV_LINK_MODE: 'copy',
	TURBO_CACHE_DIR: join(TMPDIR, 'turbo'),
	...((await sharesTargetFolder(environment)) ? {CARGO_TARGET_DIR: join(TMPDIR, 'target')} : {}),
});

/** Returns whether all worktrees share one Cargo target folder, because of a variable or the person's config. A project's config isn't read, since agents can write it. */
const sharesTargetFolder = async (environment: NodeJS.ProcessEnv): Promise<boolean> => {
	const {CARGO_HOME, CARGO_TARGET_DIR, CARGO_BUILD_TARGET_DIR} = environment;
	if (isAbsolute(CARGO_TARGET_DIR ?? CARGO_BUILD_TARGET_DIR ?? '')) {
		return true;
	}

	const config = join(CARGO_HOME ?? join(homedir(), '.cargo'), 'config.toml');
	const text = await readEndAt(config, mostConfig).catch(() => '');
	return /^\s*(?:build\.)?target-dir\s*=/m.test(text);
};

const mostConfig = 64 * 1024;

/** Removes the worktree of a check, and releases its slot. */
export const removeWithSlot = async (slots: Slots, folder: string): Promise<void> => {
	await removeCheckout(folder);
	await slots.giveUp(folder);
};

/** Number of ports in a slot. */
const blockSize = 20;

/** Base of the port numbers of slots, which start at 1. The last slot ends below the range that systems use for outgoing connections. */
const lowestPort = 20_000;
const lastSlot = 600;

type Row = {readonly number: number; readonly folder: string; readonly temporary: string};

/**
Opens the slots that this user's worktrees have reserved.

They are rows of one database, so two processes never get the same slot, and a kill leaves no half-written one. A slot is kept while its folder exists and, if it names a process, while that process lives.

@param state The folder that holds the state of all repositories.
@param holder The process whose slots end with it; absent for a session's slots, which outlast its supervisor.
*/
export const openSlots = (state: string, holder?: ProcessIdentity): Slots => {
	const file = join(state, 'slots.sqlite');
	const taken = new Map<string, Promise<Row>>();
	/** Deletes slots, and uses the others in the same transaction. */
	const change = async <Result>(
		isOver: (row: Row) => boolean,
		use: (database: DatabaseSync) => Result,
	): Promise<Result> => {
		const {result, over} = inDatabase(file, database => {
			const over = rowsOf(database).filter(isOver);
			for (const row of over) {
				remove(database, row);
			}

			return {over, result: use(database)};
		});
		for (const {folder, temporary} of over) {
			taken.delete(folder);
			await removeFolder(temporary).catch(() => {});
		}

		return result;
	};
	const forget = async (isOver: (row: Row) => boolean): Promise<void> => {
		await (existsSync(file) ? change(isOver, () => {}) : undefined);
	};

	const take = async (folder: string): Promise<Row> => {
		await mkdir(state, {recursive: true, mode: 0o700});
		const busy = new Set<number>();
		for (;;) {
			const isOver = (row: Row): boolean =>
				busy.has(row.number) ? row.folder === folder : isForsaken(row);
			const {row, isNew} = await change(isOver, database =>
				reserve(database, {folder, busy, holder}),
			);
			if (!isNew || (await isFree(row.number))) {
				return row;
			}

			busy.add(row.number);
		}
	};

	return {
		variablesOf: async tree => {
			const folder = dirname(tree);
			const taking = taken.get(folder) ?? take(folder);
			taken.set(folder, taking);
			taking.catch(() => taken.delete(folder));
			const {number, temporary} = await taking;
			const port = portOf(number);
			return {
				DELEGATE_SLOT: String(number),
				DELEGATE_PORT: String(port),
				DELEGATE_PORTS: `${port}-${port + blockSize - 1}`,
				COMPOSE_PROJECT_NAME: basename(tree),
				TMPDIR: temporary,
			};
		},
		giveUp: folder => forget(row => isIn(folder, row.folder)),
		giveUpOthers: (repository, session) =>
			forget(row => isIn(repository, row.folder) && !isIn(session, row.folder)),
	};
};

type StoredRow = Row & {readonly pid: number | null; readonly startTime: string | null};

/** Returns whether a slot is unused: its folder is gone, or its holder has died. */
const isForsaken = (row: Row): boolean => {
	const {folder, pid, startTime} = row as StoredRow;
	return !existsSync(folder) || (pid !== null && !isAlive({pid, startTime: startTime ?? ''}));
};

const rowsOf = (database: DatabaseSync): readonly StoredRow[] =>
	database.prepare('SELECT * FROM slot ORDER BY number').all() as unknown as readonly StoredRow[];

const remove = (database: DatabaseSync, {number}: Row): void => {
	database.prepare('DELETE FROM slot WHERE number = ?').run(number);
};

type Wanted = {
	readonly folder: string;
	readonly busy: ReadonlySet<number>;
	readonly holder: ProcessIdentity | undefined;
};

/** Returns whether a path is a folder of this user. After a reboot, another user may have made something of that name in /tmp. */
const isOwnFolder = (path: string): boolean => {
	const found = lstatSync(path, {throwIfNoEntry: false});
	return found?.isDirectory() === true && found.uid === process.geteuid?.();
};

/** Returns the row of a folder, or inserts one with the lowest free number. Recreates a temporary folder that is gone, for example after a reboot. */
const reserve = (
	database: DatabaseSync,
	{folder, busy, holder}: Wanted,
): {readonly row: Row; readonly isNew: boolean} => {
	const rows = rowsOf(database);
	const known = rows.find(row => row.folder === folder);
	if (known !== undefined && isOwnFolder(known.temporary)) {
		return {row: known, isNew: false};
	}

	const used = new Set([...rows.map(row => row.number), ...busy]);
	const number =
		known?.number ??
		Array.from({length: lastSlot}, (_, index) => index + 1).find(one => !used.has(one));
	if (number === undefined) {
		throw new Failure('missing', 'No block of ports is free for another worktree.', {
			hint: `ports ${portOf(1)} to ${portOf(lastSlot + 1) - 1} are tried; end programs that listen there, or sessions that wait`,
		});
	}

	const temporary = mkdtempSync(join(temporaryBase(), `dt-${number}-`));
	database
		.prepare('INSERT OR REPLACE INTO slot VALUES (?, ?, ?, ?, ?)')
		.run(number, folder, temporary, holder?.pid ?? null, holder?.startTime ?? null);
	return {row: {number, folder, temporary}, isNew: known === undefined};
};

const portOf = (number: number): number => lowestPort + number * blockSize;

/** Returns a short base folder: processes create sockets there, whose path may have 104 bytes. */
const temporaryBase = (): string =>
	tmpdir().length > 40 && existsSync('/tmp') ? '/tmp' : tmpdir();

/** Runs a transaction without syncing to the disk: after a power failure the rows have no use. If that has damaged the file, begins a new one. */
const inDatabase = <Result>(file: string, use: (database: DatabaseSync) => Result): Result => {
	try {
		return inTransaction(file, use);
	} catch (error) {
		if (isSqliteError(error, corrupt, notADatabase)) {
			rmSync(file, {force: true});
			return inTransaction(file, use);
		}

		throw error instanceof Failure
			? error
			: new Failure(
					'missing',
					`The list of reserved ports ${file} can’t be used: ${withoutStop(asFailure(error).message)}.`,
					{
						hint: 'remove it while no session is under way; it is made again',
						cause: error,
					},
				);
	}
};

/** Result codes of SQLite for a damaged file. */
const corrupt = 11;
const notADatabase = 26;

const inTransaction = <Result>(file: string, use: (database: DatabaseSync) => Result): Result => {
	const database = new DatabaseSync(file);
	try {
		database.exec(
			'PRAGMA busy_timeout = 10000; PRAGMA synchronous = OFF; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS slot (number INTEGER PRIMARY KEY, folder TEXT UNIQUE, temporary TEXT, pid INTEGER, startTime TEXT)',
		);
		const result = use(database);
		database.exec('COMMIT');
		return result;
	} finally {
		database.close();
	}
};

/** Returns whether no other program listens on a port of the slot. */
const isFree = async (number: number): Promise<boolean> => {
	const ports = Array.from({length: blockSize}, (_, index) => portOf(number) + index);
	const free = await Promise.all(
		ports.map(
			async port =>
				(await canListen(port)) && (platform() === 'linux' || canListen(port, '127.0.0.1')),
		),
	);
	return free.every(Boolean);
};

/** Tries one address. On macOS a server on all addresses doesn't conflict with one on loopback alone, so the caller tries both. */
const canListen = (port: number, host?: string): Promise<boolean> =>
	new Promise(resolve => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({port, ...(host === undefined ? {} : {host})}, () =>
			server.close(() => resolve(true)),
		);
	});
