import {type ChildProcess, spawn} from 'node:child_process';
import {open, readFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {exitCodes} from '../../lib/exit-codes.ts';
import {Failure} from '../../lib/failure.ts';
import {diskFailure} from '../../lib/files/disk-failure.ts';
import {silentHolder} from './silent-holder.ts';

/** Where the supervisor of a repository is, or will be. */
export type SupervisorPaths = {
	readonly repository: {readonly root: string};
	readonly folder: {
		readonly path: string;
		readonly lock: string;
		readonly socket: string;
		readonly log: string;
	};
};

/** The program that is run as a supervisor: the one that asks for it. */
export type Program = {readonly script: string; readonly version: string};

/** How long a new supervisor may take to answer, in milliseconds. */
export const patienceMs = 20_000;

/** A supervisor that was started. */
export type Started = {
	readonly child: ChildProcess;
	/** Why there is no process, if so. */
	readonly error: () => Error | undefined;
	/** Where its words begin in the log, in bytes; before stand those of earlier ones. */
	readonly logFrom: number;
};

const words = {supervise: ['supervise'], wake: ['supervise', '--wake']} as const;

/** It leads a session of its own and writes to a file, so nothing that happens to this terminal reaches it. */
export const startSupervisor = async (
	paths: SupervisorPaths,
	program: Program,
	why: 'supervise' | 'wake',
): Promise<Started> => {
	const log = await openLog(paths.folder.log);
	try {
		const {size} = await log.stat();
		const child = spawn(process.execPath, [program.script, ...words[why]], {
			cwd: paths.repository.root,
			// A relative state folder means the one seen from here, not from there.
			env: {...process.env, DELEGATE_TUI_STATE: dirname(paths.folder.path)},
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

/** Whether a supervisor won't answer any more. One that ends well has found another at work, which will answer. */
export const hasFailed = ({child, error}: Started): boolean =>
	error() !== undefined ||
	child.signalCode !== null ||
	(child.exitCode !== null && child.exitCode !== 0);

/** Says why a supervisor that was started did not answer. */
export const whyNotReached = async (paths: SupervisorPaths, started: Started): Promise<Failure> => {
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
