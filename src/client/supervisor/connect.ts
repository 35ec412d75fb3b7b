import {setTimeout as wait} from 'node:timers/promises';
import {readPointer} from '../../control/path.ts';
import {type Control, connect} from '../../control/send.ts';
import {isLocked} from '../../journal/lock.ts';
import {Failure} from '../../lib/failure.ts';
import {errorCode} from '../../lib/files/reading.ts';
import {
	hasFailed,
	makeStateFolder,
	patienceMs,
	type SupervisorPaths,
	type SupervisorProgram,
	startSupervisor,
	whyNotReached,
} from './start-supervisor.ts';

/** How long one that ended at once is believed to have found another at work, in milliseconds. */
const lookMs = 5000;

/** Returns a connection to a repository's supervisor; nothing when there is none. */
export const connectIfThere = async ({folder}: SupervisorPaths): Promise<Control | undefined> => {
	try {
		const path = await readPointer(folder.socket);
		return path === undefined ? undefined : await connect(path);
	} catch (error) {
		const isNobodyThere = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '');
		if (isNobodyThere || (error instanceof Failure && error.kind === 'missing')) {
			return undefined;
		}

		throw error;
	}
};

/**
Starts a supervisor and returns a connection to it, or to another that was faster.

@param why `wake` for one that is to see itself whether there is anything to supervise; without that there is nothing to connect to
@throws `Failure` that says why none answers
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

		// One that ends so has found another at work, which will answer, or nothing to wake up for.
		if (started.child.exitCode === 0) {
			const isHeld = isLocked(paths.folder.lock);
			if (why === 'wake' && (!isHeld || performance.now() > wakeBy)) {
				return undefined;
			}

			if (!isHeld) {
				// The other one was just ending, so it is time for the next.
				started = await startSupervisor(paths, program, why);
			}
		}

		await wait(30);
	}

	await makeStateFolder(paths.folder.path);
	throw await whyNotReached(paths, started);
};

/**
Returns the connection if the other side is of this version.

@throws `Failure` of kind `refused`, after the connection was closed: what one version decides, another may not know
*/
export const requireVersion = (control: Control, {version}: SupervisorProgram): Control => {
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
