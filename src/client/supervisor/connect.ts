import {readPointer} from '../../control/path.ts';
import {type Control, connect} from '../../control/send.ts';
import {Failure} from '../../lib/failure.ts';
import {errorCode} from '../../lib/files/reading.ts';

/** Paths of a repository's supervisor, running or not. */
export type SupervisorPaths = {
	readonly repository: {readonly root: string};
	readonly folder: {
		readonly path: string;
		readonly lock: string;
		readonly socket: string;
		readonly log: string;
	};
};

/** The program to run as a supervisor: the calling one. */
export type SupervisorProgram = {readonly script: string; readonly version: string};

/** Connects to a repository's supervisor; returns nothing if there is none. */
export const connectIfThere = async ({folder}: SupervisorPaths): Promise<Control | undefined> => {
	try {
		const path = readPointer(folder.socket);
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
Returns the connection if the supervisor has this version.

@throws `Failure` of kind `refused`, after closing the connection: another version may not know a decision of this one.
*/
export const requireVersion = (control: Control, {version}: SupervisorProgram): Control => {
	const {hello} = control;
	if (hello.version !== version) {
		control.close();
		throw new Failure(
			'refused',
			`The supervisor of this session is delegate-tui ${hello.version}, this is ${version}.`,
			{hint: 'use that version to decide or to end the session; both can read it'},
		);
	}

	return control;
};
