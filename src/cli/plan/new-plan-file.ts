import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {diskFailure, errorCode} from '../../lib/files/disk-failure.ts';
import {isThere} from '../../lib/files/is-there.ts';

/**
Refuses a path at which something stands.

@throws `Failure` of kind `refused`
*/
export const requireNew = async (path: string | undefined): Promise<void> => {
	if (path !== undefined && (await isThere(path))) {
		throw taken(path);
	}
};

/** Writes a plan to a path that is free: to the one that is given, else to the first of `plan.yaml`, `plan-2.yaml` and on. Returns it. */
export const writeNewPlan = async (text: string, path: string | undefined): Promise<string> => {
	if (path !== undefined) {
		if (!(await isWrittenNew(path, text))) {
			throw taken(path);
		}

		return path;
	}

	for (let number = 1; ; number++) {
		const free = resolve(number === 1 ? 'plan.yaml' : `plan-${number}.yaml`);
		if (await isWrittenNew(free, text)) {
			return free;
		}
	}
};

/** Writes a file where none is; returns whether it did. */
export const isWrittenNew = async (path: string, text: string): Promise<boolean> => {
	try {
		await writeFile(path, text, {flag: 'wx'});
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') {
			return false;
		}

		throw diskFailure(`${path} could not be written`, error);
	}
};

const taken = (path: string): Failure =>
	new Failure('refused', `${path} is there already, and no file is written over.`, {
		hint: 'name another one with --out, or move it away',
	});
