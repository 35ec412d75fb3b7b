import {existsSync, readdirSync, statSync} from 'node:fs';
import type {Control} from '../../control/send.ts';
import {pidOf} from './request-within.ts';

/**
Returns whether the other side holds the repository's lock, as its one supervisor does.

Any program of the person's can listen where the supervisor did, and would be sent a decision that is never carried out. It is asked for by the file that the other side gave us to hold open, which is in the process that made it. Where there is no table of processes this can't be looked up.
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
