import {setTimeout as wait} from 'node:timers/promises';
import {connectIfThere} from '../client/supervisor/connect.ts';
import type {Control} from '../control/send.ts';
import {failureText} from '../lib/failure.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {isStuck} from '../supervisor/past/read-session.ts';
import {type Here, isActive, isMoving, type LastSession} from './here.ts';

/** How long it is waited for to look around, in milliseconds. */
const lookMs = 5000;

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
			complain('Only events before the damage are shown.', session.fault);
		}
	} catch (error) {
		complain('The session is not being supervised.', error);
	}
};

const complain = (sentence: string, error: unknown): void => {
	process.stderr.write(`${sanitize(`${sentence} ${failureText(error)}`)}\n`);
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

	const control = (await connectIfThere(here)) ?? (await startAgain(here, session));
	await lookedAround(control);
	return control;
};

/** Starts a supervisor again; its code, which refuses agents, is loaded only when one has to be started. */
const startAgain = async (here: Here, session: LastSession | undefined) =>
	(await import('./reach-supervisor.ts')).startAgain(here, session);

/** A supervisor answers before it has looked around, and whoever reads next wants to know what it found; another command may have started it just now. */
const lookedAround = async (control: Control | undefined): Promise<void> => {
	const looked = control?.request({do: 'wait'}).catch(() => {});
	await Promise.race([looked, wait(lookMs, undefined, {ref: false})]);
};
