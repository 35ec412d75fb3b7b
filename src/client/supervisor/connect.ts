import {readPointer} from '../../control/path.ts';
import {type Control, connect} from '../../control/send.ts';
import {Failure} from '../../lib/failure.ts';
import {errorCode} from '../../lib/files/reading.ts';

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
export type SupervisorProgram = {readonly script: string; readonly version: string};

/** Returns a connection to a repository's supervisor; nothing when there is none. */
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
			{hint: 'use that version to decide or to end the session; both can read it'},
		);
	}

	return control;
};
