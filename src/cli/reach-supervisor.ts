import {setTimeout as wait} from 'node:timers/promises';
import {connectIfThere, requireVersion, startAndConnect} from '../client/supervisor/connect.ts';
import {holdsLock} from '../client/supervisor/holds-lock.ts';
import {type Asked, requestWithin} from '../client/supervisor/request-within.ts';
import type {SupervisorProgram} from '../client/supervisor/start-supervisor.ts';
import type {Caller, CallerIntent} from '../control/caller.ts';
import type {Control} from '../control/send.ts';
import {Failure, failureText} from '../lib/failure.ts';
import {ownId} from '../lib/process/process-table.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {defined} from '../lib/values.ts';
import {stateFolder} from '../supervisor/folder.ts';
import {isStuck} from '../supervisor/past/read-session.ts';
import {noteTried} from '../supervisor/requests/attempts.ts';
import {requireAuthority} from '../supervisor/requests/decision-tokens.ts';
import {requireNamespace, requireNoAgent} from '../supervisor/requests/require-person.ts';
import {type Here, isActive, isMoving, type LastSession, requireSound} from './here.ts';
import {version} from './output.ts';
import {ownToken} from './own-token.ts';

const program: SupervisorProgram = {script: process.argv[1] ?? '', version};

/** How long it is waited for to look around, in milliseconds. */
const lookMs = 5000;

/** Refuses what a process of a session does, or what is started in a worktree that a person visits. */
export const requireNoSession = (): void => {
	try {
		requireNoAgent(self(), stateFolder(process.env));
	} catch (error) {
		noteTried(process.env, process.argv[2]);
		throw error;
	}
};

/** Refuses what only a person may do, or a script that one of theirs has started or given a token. */
export const requirePerson = ({folder}: Here, intent: CallerIntent = 'deciding'): void => {
	requireNoSession();
	requireNamespace(folder);
	requireAuthority(self(), {shown: ownToken(), folder, intent});
};

const self = (): Caller => ({kind: 'process', pid: ownId()});

/** How long a supervisor may take to take its socket back, or to end once it has lost its lock, in milliseconds. */
const placeMs = 4000;

/** Returns a connection to the repository's supervisor, starting one when there is none. */
export const reachSupervisor = async (here: Here): Promise<Control> => {
	requireNoSession();
	requireNamespace(here.folder);
	for (const deadline = performance.now() + placeMs; ; await wait(100)) {
		const control =
			(await connectIfThere(here)) ?? (await startAndConnect(here, program, 'supervise'));
		if (!control) {
			throw new Failure('internal', 'The supervisor ended before it answered.', {
				hint: `see ${here.folder.log}`,
			});
		}

		if (holdsLock(requireVersion(control, program), here.folder.lock)) {
			return control;
		}

		control.close();
		if (performance.now() > deadline) {
			throw new Failure(
				'refused',
				'What answers here can’t be seen to be this repository’s supervisor, so it was asked for nothing.',
				{
					hint: 'decide from where processes of this machine see each other, not from a container or sandbox; a supervisor that lost its place takes it back within seconds',
				},
			);
		}
	}
};

/** Starts the supervisor of an active session again if it is gone, so that whatever command comes next heals it. */
export const wakeSupervisor = async (
	here: Here,
	session: LastSession | undefined,
): Promise<void> => {
	const control = await connectAwake(here, session);
	control?.close();
};

/** Does the same, and returns a connection to it; nothing for a session that needs none. */
export const connectAwake = async (
	here: Here,
	session: LastSession | undefined,
): Promise<Control | undefined> => {
	if (!(isStuck(session) || isActive(session) || isMoving(session))) {
		return undefined;
	}

	const control = (await connectIfThere(here)) ?? (await wake(here, session));
	await lookedAround(control);
	return control;
};

/** How long after a try the next one is made at the earliest, in milliseconds: a supervisor that ends at once is not started in a loop. */
const againMs = 3000;

/**
Keeps a connection as long as the signal doesn't abort, and connects anew when it ends: an open connection costs nothing, and its end tells at once that a supervisor is gone.

@param connect returns nothing where there is nothing to connect to for now; it may throw
*/
export const stayConnected = async (
	connect: () => Promise<Control | undefined>,
	signal: AbortSignal,
): Promise<void> => {
	while (!signal.aborted) {
		const since = performance.now();
		const control = await connect().catch(() => undefined);
		const leave = (): void => control?.close();
		signal.addEventListener('abort', leave);
		if (signal.aborted) {
			leave();
		}

		await control?.closed;
		signal.removeEventListener('abort', leave);
		const leftMs = Math.max(0, since + againMs - performance.now());
		await wait(leftMs, undefined, {signal, ref: false}).catch(() => {});
	}
};

const wake = async (here: Here, session: LastSession | undefined): Promise<Control | undefined> => {
	requireNoSession();
	requireNamespace(here.folder);
	requireSound(here, session);
	return startAndConnect(here, program, 'wake');
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
			complain('Only what comes before the damage is shown.', session.fault);
		}
	} catch (error) {
		complain('The session is not being supervised.', error);
	}
};

const complain = (sentence: string, error: unknown): void => {
	process.stderr.write(`${sanitize(`${sentence} ${failureText(error)}`)}\n`);
};

/** Asks the supervisor one thing. */
export const askSupervisor = async (here: Here, request: Asked): Promise<unknown> => {
	const control = await reachSupervisor(here);
	try {
		return await requestWithin(control, {...request, ...defined({token: ownToken()})});
	} finally {
		control.close();
	}
};
