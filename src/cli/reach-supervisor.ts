import {type ChildProcess, spawn} from 'node:child_process';
import {open, readFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {type Control, connect} from '../control/send.ts';
import {isLocked} from '../journal/lock.ts';
import {diskFailure, errorCode} from '../lib/disk-failure.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {ownId} from '../lib/process-table.ts';
import {sanitize} from '../lib/sanitize.ts';
import {isStuck} from '../supervisor/past/read-session.ts';
import {requireNamespace} from '../supervisor/requests/namespace.ts';
import {
	requirePerson as requireNoAgent,
	requireUnmarked,
} from '../supervisor/requests/require-person.ts';
import {type Here, isActive, isMoving, type LastSession, requireSound} from './here.ts';
import {makeStateFolder} from './make-state-folder.ts';
import {exitCodes} from './output.ts';
import {version} from './version.ts';

/** How long a new supervisor may take to answer, in milliseconds. */
const patienceMs = 20_000;

/** How long it is waited for to look around, in milliseconds. */
const lookMs = 5000;

/** Refuses what only a person may do where an agent of a session does it. */
export const requirePerson = ({folder}: Here): void => {
	requireUnmarked(Object.entries(process.env).map(([name, value]) => `${name}=${value}`));
	requireNoAgent({kind: 'process', pid: ownId()});
	requireNamespace(folder);
};

/** Returns a connection to the repository's supervisor, starting one when there is none. */
export const reachSupervisor = async (here: Here): Promise<Control> => {
	requirePerson(here);
	const control = (await tryConnect(here)) ?? (await startAndConnect(here, 'supervise'));
	if (!control) {
		throw new Failure('internal', 'The supervisor ended before it answered.', {
			hint: `see ${here.folder.log}`,
		});
	}

	const {hello} = control;
	if (hello.version !== version) {
		control.close();
		throw new Failure(
			'refused',
			`The supervisor of this session is delegate-tui ${hello.version}, this is ${version}.`,
			{hint: 'use that version to decide, or end the session with it; reading works with both'},
		);
	}

	return control;
};

/** Starts the supervisor of an active session again if it is gone, so that whatever command comes next heals it. */
export const wakeSupervisor = async (
	here: Here,
	session: LastSession | undefined,
): Promise<void> => {
	if (isStuck(session) || isActive(session) || isMoving(session)) {
		const control = (await tryConnect(here)) ?? (await wake(here, session));
		await lookedAround(control);
		control?.close();
	}
};

const wake = async (here: Here, session: LastSession | undefined): Promise<Control | undefined> => {
	requirePerson(here);
	requireSound(here, session);
	return startAndConnect(here, 'supervise', '--wake');
};

/** A supervisor answers before it has looked around, and whoever reads next wants to know what it found; another command may have started it just now. */
const lookedAround = async (control: Control | undefined): Promise<void> => {
	const looked = control?.request({do: 'wait'}).catch(() => {});
	await Promise.race([looked, wait(lookMs, undefined, {ref: false})]);
};

/**
Does what `wakeSupervisor` does as far as it can be done, for commands that only read.

What the journal says is worth reading on a full disk, too; why nobody goes on with the session, or that not all of it is told, is one line on stderr.
*/
export const tryToWakeSupervisor = async (
	here: Here,
	session: LastSession | undefined,
): Promise<void> => {
	try {
		await wakeSupervisor(here, session);
		if (session?.fault !== undefined) {
			complain('Only what stands before the damage is told.', session.fault);
		}
	} catch (error) {
		complain('The session is not being supervised.', asFailure(error));
	}
};

const complain = (sentence: string, {message, hint}: Failure): void => {
	const line = `${sentence} ${message}${hint === undefined ? '' : ` (${hint})`}`;
	process.stderr.write(`${sanitize(line)}\n`);
};

/** Asks the supervisor one thing. */
export const askSupervisor = async (
	here: Here,
	request: Record<string, unknown>,
): Promise<unknown> => {
	const control = await reachSupervisor(here);
	try {
		return await control.request(request);
	} finally {
		control.close();
	}
};

const tryConnect = async ({folder}: Here): Promise<Control | undefined> => {
	try {
		return await connect(await readFile(folder.socket, 'utf8'));
	} catch (error) {
		const isNobodyThere = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '');
		if (isNobodyThere || (error instanceof Failure && error.kind === 'missing')) {
			return undefined;
		}

		throw error;
	}
};

/** Returns nothing when the new supervisor has found at once that there is nothing to supervise, and no other one is at work. */
const startAndConnect = async (
	here: Here,
	...words: readonly string[]
): Promise<Control | undefined> => {
	await makeStateFolder(here.folder.path);
	let started = await startSupervisor(here, words);
	const deadline = performance.now() + patienceMs;
	const wakeBy = performance.now() + lookMs;
	while (performance.now() < deadline && !hasFailed(started)) {
		const control = await tryConnect(here);
		if (control) {
			return control;
		}

		// One that ends so has found another at work, which will answer, or nothing to wake up for.
		if (started.child.exitCode === 0) {
			const isHeld = isLocked(here.folder.lock);
			if (words.includes('--wake') && (!isHeld || performance.now() > wakeBy)) {
				return undefined;
			}

			if (!isHeld) {
				// The other one was just ending, so it is time for the next.
				started = await startSupervisor(here, words);
			}
		}

		await wait(30);
	}

	await makeStateFolder(here.folder.path);
	throw await whyNotReached(here, started);
};

const whyNotReached = async (here: Here, started: Started): Promise<Failure> => {
	const {exitCode} = started.child;
	if (exitCode === 0) {
		const hint = `${here.folder.lock} is held; try again in a moment`;
		return new Failure(
			'internal',
			'Somebody else is at work on this repository, and does not answer.',
			{hint},
		);
	}

	const {line, hint = `see ${here.folder.log}`} = await lastWords(here, started);
	const kind = exitCode === exitCodes.missing ? 'missing' : 'internal';
	return new Failure(kind, `The supervisor did not start: ${line}`, {hint});
};

type Started = {
	readonly child: ChildProcess;
	/** Why there is no process, if so. */
	readonly error: () => Error | undefined;
	/** Where its words begin in the log, in bytes; before stand those of earlier ones. */
	readonly logFrom: number;
};

/** It leads a session of its own and writes to a file, so nothing that happens to this terminal reaches it. */
const startSupervisor = async (here: Here, words: readonly string[]): Promise<Started> => {
	const log = await openLog(here.folder.log);
	try {
		const {size} = await log.stat();
		const child = spawn(process.execPath, [process.argv[1] ?? '', ...words], {
			cwd: here.repository.root,
			// A relative state folder means the one seen from here, not from there.
			env: {...process.env, DELEGATE_TUI_STATE: dirname(here.folder.path)},
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
		throw diskFailure(`The supervisor's log ${path} can't be written`, error);
	}
};

/** One that ends well has found another at work, which will answer. */
const hasFailed = ({child, error}: Started): boolean =>
	error() !== undefined ||
	child.signalCode !== null ||
	(child.exitCode !== null && child.exitCode !== 0);

const hintStart = 'Hint: ';

const lastWords = async (
	{folder}: Here,
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
