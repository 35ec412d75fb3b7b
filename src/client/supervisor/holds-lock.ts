import {existsSync, readdirSync, statSync} from 'node:fs';
import type {Control} from '../../control/send.ts';
import {pidOf} from './request-within.ts';

/**
Returns whether the other side holds the repository's lock, so that it is the supervisor.

Any program of the person's user can listen on the supervisor's socket, and would get a decision that is never carried out. The process is identified by the file that the other side gave us to hold open, which is open in the process that made it. Without a process table this can't be checked.
*/
export const holdsLock = (control: Control, lock: string): boolean => {
	const pid = pidOf(control);
	return !existsSync('/proc/self/fd') || (pid !== undefined && hasOpen(pid, lock));
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
