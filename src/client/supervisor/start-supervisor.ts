import {type ChildProcess, spawn} from 'node:child_process';
import {mkdir, open, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {withoutOwnAgent} from '../../control/caller.ts';
import type {Control} from '../../control/send.ts';
import {formerHolder, isLocked} from '../../journal/lock.ts';
import {exitCodes, Failure} from '../../lib/failure.ts';
import {diskFailure, errorCode} from '../../lib/files/reading.ts';
import {readProcess, whoHasOpen} from '../../lib/process/process-table.ts';
import {connectIfThere, type SupervisorPaths, type SupervisorProgram} from './connect.ts';

/** Time in which a new supervisor must answer, in milliseconds. */
const patienceMs = 20_000;

/** Time for which a supervisor that exited at once is believed to have found another one running, in milliseconds. */
const lookMs = 5000;

/**
Starts a supervisor and returns a connection to it, or to another one that was faster.

@param why `wake` for a supervisor that checks itself whether there is anything to supervise; if not, nothing is returned.
@throws `Failure` with the reason if none answers.
*/
export const startAndConnect = async (
	paths: SupervisorPaths,
	program: SupervisorProgram,
	why: 'supervise' | 'wake',
): Promise<Control | undefined> => {
	await makeStateFolder(paths.folder.path);
	let started = await startSupervisor(paths, program, why);
	const deadline = performance.now() + patienceMs;
	const wakeBy = performance.now() + lookMs;
	while (performance.now() < deadline && !hasFailed(started)) {
		const control = await connectIfThere(paths);
		if (control) {
			return control;
		}

		// Exit code 0 means that it found another one running, which will answer, or nothing to wake up for.
		if (started.child.exitCode === 0) {
			const isHeld = isLocked(paths.folder.lock);
			if (why === 'wake' && (!isHeld || performance.now() > wakeBy)) {
				return undefined;
			}

			if (!isHeld) {
				// The other one was just exiting, so the next one can start.
				started = await startSupervisor(paths, program, why);
			}
		}

		await wait(30);
	}

	await makeStateFolder(paths.folder.path);
	throw await whyNotReached(paths, started);
};

/** A supervisor that was started. */
type Started = {
	readonly child: ChildProcess;
	/** Returns the error if there is no process. */
	readonly error: () => Error | undefined;
	/** Offset of its output in the log, in bytes, after that of earlier ones. */
	readonly logFrom: number;
};

const words = {supervise: ['supervise'], wake: ['supervise', '--wake']} as const;

/** Starts a supervisor in its own process session, with its output in a file, so that it is independent of this terminal. */
const startSupervisor = async (
	paths: SupervisorPaths,
	program: SupervisorProgram,
	why: 'supervise' | 'wake',
): Promise<Started> => {
	const log = await openLog(paths.folder.log);
	try {
		const {size} = await log.stat();
		const child = spawn(process.execPath, [program.script, ...words[why]], {
			cwd: paths.repository.root,
			// A relative state folder is relative to this process's working directory.
			env: {...withoutOwnAgent(process.env), DELEGATE_TUI_STATE: dirname(paths.folder.path)},
			detached: true,
			stdio: ['ignore', log.fd, log.fd],
		});
		let failed: Error | undefined;
		child.once('error', error => {
			failed = error;
		});
		child.unref();
		return {child, error: () => failed, logFrom: size};
	} finally {
		await log.close();
	}
};

const openLog = async (path: string) => {
	try {
		return await open(path, 'a', 0o600);
	} catch (error) {
		throw diskFailure(`The supervisor’s log ${path} can’t be written`, error);
	}
};

/** Returns whether a supervisor will never answer. One that exits with code 0 has found another one running, which will. */
const hasFailed = ({child, error}: Started): boolean =>
	error() !== undefined ||
	child.signalCode !== null ||
	(child.exitCode !== null && child.exitCode !== 0);

/** Returns the reason why a supervisor that was started did not answer. */
const whyNotReached = async (paths: SupervisorPaths, started: Started): Promise<Failure> => {
	const {exitCode} = started.child;
	if (exitCode === 0) {
		return silentHolder(paths.folder);
	}

	const {line, hint = `see ${paths.folder.log}`} = await lastWords(paths, started);
	const kind = exitCode === exitCodes.missing ? 'missing' : 'internal';
	return new Failure(kind, `The supervisor did not start: ${line}`, {hint});
};

const hintStart = 'Hint: ';

const lastWords = async (
	{folder}: SupervisorPaths,
	{child, error, logFrom}: Started,
): Promise<{readonly line: string; readonly hint?: string}> => {
	const log = await readFile(folder.log).catch(() => Buffer.of());
	const lines = log.subarray(logFrom).toString().trimEnd().split('\n');
	const line = lines.findLast(one => !one.startsWith(hintStart));
	const last = lines.at(-1);
	return {
		line: line || error()?.message || `it ${howItEnded(child)} and said nothing.`,
		...(last?.startsWith(hintStart) ? {hint: last.slice(hintStart.length)} : {}),
	};
};

const howItEnded = ({exitCode, signalCode}: ChildProcess): string => {
	if (signalCode !== null) {
		return `was ended by ${signalCode}`;
	}

	return exitCode === null
		? `did not answer within ${patienceMs / 1000} seconds`
		: `exited with ${exitCode}`;
};

/**
Returns a failure about the process that holds a repository's lock and does not answer, with advice.

Ending that process only costs time: the journal is complete, and the next command continues from there.
*/
export const silentHolder = ({lock}: {readonly lock: string}): Failure => {
	const holder = whoHasOpen([lock]) ?? formerHolder(lock);
	if (holder === undefined) {
		return new Failure(
			'internal',
			`Another process holds ${lock}, and does not answer. It can’t be seen from here.`,
			{hint: 'it may run in a container, or for another user; decide from there, or end it there'},
		);
	}

	const {pid, command} = holder;
	const end = `kill ${pid} ends it; its work is kept, and the next command goes on with the session`;
	return readProcess(pid)?.isStopped
		? new Failure(
				'internal',
				`This repository is held by process ${pid} (${command}), which was stopped as by Ctrl-Z.`,
				{hint: `kill -CONT ${pid} lets it go on; or ${end}`},
			)
		: new Failure(
				'internal',
				`This repository is held by process ${pid} (${command}), which does not answer.`,
				{hint: `if that does not change: ${end}`},
			);
};

/**
Makes the folder of a repository's state, and checks that it is writable.

A full disk still allows empty files, so the probe has content.

@throws `Failure` of kind `missing` with the cause.
*/
export const makeStateFolder = async (path: string): Promise<void> => {
	const probe = join(path, `.probe-${process.pid}`);
	try {
		await makeWithParents(path);
		await writeFile(probe, 'This file is there to see whether one can be written.\n');
	} catch (error) {
		throw unusable(path, error);
	} finally {
		await rm(probe, {force: true}).catch(() => {});
	}
};

/** Makes a folder with its parents. Node's own `recursive` loops forever on a file system without folders to make, such as `/proc`. */
const makeWithParents = async (path: string): Promise<void> => {
	try {
		await makeOne(path);
	} catch (error) {
		if (errorCode(error) !== 'ENOENT' || dirname(path) === path) {
			throw error;
		}

		await makeWithParents(dirname(path));
		await makeOne(path);
	}
};

const makeOne = async (path: string): Promise<void> => {
	try {
		await mkdir(path, {mode: 0o700});
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') {
			throw error;
		}
	}
};

const causes: Readonly<Record<string, string>> = {
	ENOENT: 'no folder can be made there',
	ENOTDIR: 'a file is where a folder should be',
	ELOOP: 'its links lead in a circle',
	ENAMETOOLONG: 'its path is too long',
};

const unusable = (path: string, cause: unknown): Failure => {
	const sentence = `The state folder ${path} can’t be written`;
	const known = causes[errorCode(cause) ?? ''];
	const failure = diskFailure(sentence, cause);
	const message = known === undefined ? failure.message : `${sentence}: ${known}.`;
	const hint = 'DELEGATE_TUI_STATE can name another folder';
	return new Failure('missing', message, {
		hint: failure.hint === undefined ? hint : `${failure.hint} ${hint}.`,
		cause,
	});
};
