import {connectIfThere} from '../client/supervisor/connect.ts';
import type {Control} from '../control/send.ts';
import {failureText} from '../lib/failure.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {settles} from '../lib/timers.ts';
import {isStuck} from '../supervisor/past/read-session.ts';
import {type Here, isActive, isMoving, type LastSession} from './here.ts';
import {printAside} from './output.ts';

/** Time to wait for the supervisor's first look, in milliseconds. */
const lookMs = 5000;

/**
Does the same as `wakeSupervisor`, but without failing, for commands that only read.

The journal is readable on a full disk, too; a line on stderr says why no supervisor continues the session, or that the journal is incomplete.
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
	printAside(sanitize(`${sentence} ${failureText(error)}`));
};

/** Restarts the supervisor of an active session if it is gone, so that any next command heals it. */
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

/** Restarts a supervisor; the code for that, which refuses agents, is loaded only if it is needed. */
const startAgain = async (here: Here, session: LastSession | undefined) =>
	(await import('./reach-supervisor.ts')).startAgain(here, session);

/** Waits for the supervisor's first look, since it answers before that, and the next reader needs its findings; another command may have started it just now. */
const lookedAround = async (control: Control | undefined): Promise<void> => {
	const looked = control?.request({do: 'wait'}).catch(() => {});
	await (looked && settles(looked, lookMs));
};
