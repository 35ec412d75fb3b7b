import {existsSync, readdirSync, statSync} from 'node:fs';
import type {Control} from '../../control/send.ts';
import {Failure} from '../../lib/failure.ts';
import {pidOf} from './request-within.ts';

/**
Returns the connection if the other side holds the repository's lock, as its one supervisor does.

Any program of the person's can listen where the supervisor did, and would be sent a decision that is never carried out. It is asked for by the file that the other side gave us to hold open, which is in the process that made it. Where there is no table of processes this can't be looked up.

@throws `Failure` of kind `refused`, after the connection was closed
*/
export const requireLockHolder = (control: Control, lock: string): Control => {
	const pid = pidOf(control);
	if (!existsSync('/proc/self/fd') || (pid !== undefined && hasOpen(pid, lock))) {
		return control;
	}

	control.close();
	throw new Failure(
		'refused',
		'What answers here can’t be seen to be this repository’s supervisor, so it was asked for nothing.',
		{
			hint: 'a supervisor takes its place back within seconds, so try again; decide from where processes of this machine see each other, not from a container or sandbox',
		},
	);
};

const hasOpen = (pid: number, path: string): boolean => {
	try {
		const {dev, ino} = statSync(path);
		const folder = `/proc/${pid}/fd`;
		return readdirSync(folder).some(name => {
			const found = statSync(`${folder}/${name}`, {throwIfNoEntry: false});
			return found?.dev === dev && found.ino === ino;
		});
	} catch {
		return false;
	}
};
