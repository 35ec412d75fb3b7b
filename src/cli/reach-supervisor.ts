import {setTimeout as wait} from 'node:timers/promises';
import {
	connectIfThere,
	requireVersion,
	type SupervisorProgram,
} from '../client/supervisor/connect.ts';
import {holdsLock} from '../client/supervisor/holds-lock.ts';
import {type Asked, requestWithin} from '../client/supervisor/request-within.ts';
import {startAndConnect} from '../client/supervisor/start-supervisor.ts';
import type {Caller, CallerIntent} from '../control/caller.ts';
import type {Control} from '../control/send.ts';
import type {Event} from '../events/event.ts';
import {Failure} from '../lib/failure.ts';
import {ownId} from '../lib/process/process-table.ts';
import {asFields, defined, fieldsAre, isString} from '../lib/values.ts';
import {isEvent} from '../state/apply/apply.ts';
import {stateFolder} from '../supervisor/folder.ts';
import {noteTried} from '../supervisor/requests/attempts.ts';
import {requireAuthority} from '../supervisor/requests/decision-tokens.ts';
import {requireNamespace, requireNoAgent} from '../supervisor/requests/require-person.ts';
import {type Here, type LastSession, requireSound} from './here.ts';
import {version} from './output.ts';
import {ownToken} from './own-token.ts';

const program: SupervisorProgram = {script: process.argv[1] ?? '', version};

/** Refuses processes of a session, and programs started in a worktree that a person visits. */
export const requireNoSession = (): void => {
	try {
		requireNoAgent(self(), stateFolder(process.env));
	} catch (error) {
		noteTried(process.env, process.argv[2]);
		throw error;
	}
};

/** Refuses callers other than a person, or a script that a person has started or given a token. */
export const requirePerson = ({folder}: Here, intent: CallerIntent = 'deciding'): void => {
	requireNoSession();
	requireNamespace(folder);
	requireAuthority(self(), {shown: ownToken(), folder, intent});
};

const self = (): Caller => ({kind: 'process', pid: ownId()});

/** Time in which a supervisor must recover its socket, or end after it has lost its lock, in milliseconds. */
const placeMs = 4000;

/** Returns a connection to the repository's supervisor, which is started if there is none. */
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
				'The program that answers can’t be identified as this repository’s supervisor, so nothing was requested.',
				{
					hint: 'decide outside containers and sandboxes, where this machine’s processes see each other; a supervisor whose socket was replaced takes it back within seconds',
				},
			);
		}
	}
};

/** Minimum time between two tries, in milliseconds: a supervisor that ends at once is not restarted in a loop. */
const againMs = 3000;

/**
Keeps a connection open until the signal aborts, and reconnects when it ends: an open connection costs nothing, and its end reveals at once that a supervisor is gone.

@param connect Returns nothing while there is nothing to connect to; it may throw.
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

/** Starts the supervisor of a session again, and returns a connection to it; nothing if there is nothing to continue. */
export const startAgain = async (
	here: Here,
	session: LastSession | undefined,
): Promise<Control | undefined> => {
	requireNoSession();
	requireNamespace(here.folder);
	requireSound(here, session);
	return startAndConnect(here, program, 'wake');
};

export const askSupervisor = async (here: Here, request: Asked): Promise<unknown> => {
	const control = await reachSupervisor(here);
	try {
		return await requestWithin(control, {...request, ...defined({token: ownToken()})});
	} finally {
		control.close();
	}
};

/** Returns the event of a granted command, from the supervisor's answer. */
export const eventIn = (answer: unknown): Event => {
	const {event} = asFields(answer);
	if (isKinded(event) && isEvent(event)) {
		return event;
	}

	throw new Failure('internal', 'The supervisor gave an empty answer.');
};

const isKinded = fieldsAre({kind: isString});
