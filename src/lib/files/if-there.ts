import {errorCode} from './disk-failure.ts';

/** Whether an error of the file system says that there is nothing at a path. */
export const isAbsence = (error: unknown): boolean =>
	['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');

/** Waits for a look at a path; comes to nothing where there is nothing, and fails as it does otherwise. */
export const ifThere = <Found>(look: Promise<Found>): Promise<Found | undefined> =>
	look.catch((error: unknown) => {
		if (isAbsence(error)) {
			return undefined;
		}

		throw error;
	});
