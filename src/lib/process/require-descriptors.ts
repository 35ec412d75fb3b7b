import {closeSync, openSync} from 'node:fs';
import {devNull} from 'node:os';
import {causeOf, errorCode, type SystemCause} from '../files/disk-failure.ts';

/** How many descriptors the start of a process takes: three pipes with two ends each, two that tell how it went, and some for files that are opened meanwhile. */
const startTakes = 12;

/**
Looks whether a process can be started; where too few descriptors are left, `otherwise` says so.

Such a start must not even be tried: Node.js keeps two descriptors of one that fails half way for good, and tells it by an event that `simple-git` hears too late, which would end this process. To be called just before.
*/
export const requireDescriptors = (otherwise: (lack: SystemCause) => never): void => {
	const held: number[] = [];
	try {
		while (held.length < startTakes) {
			held.push(openSync(devNull, 'r'));
		}
	} catch (error) {
		const lack = causeOf(error);
		if (lack !== undefined && ['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')) {
			otherwise(lack);
		}
	} finally {
		for (const descriptor of held) {
			closeSync(descriptor);
		}
	}
};
