import {beforeAll} from 'vitest';

/** A user and a group who own nothing. */
const nobody = 65_534;

/**
Gives root's rights up for good in this process, so for all tests of a file: no mode bit is in root's way.

Unlike `asNobody` it counts for what asks who started it as well: `access`, git, and whatever git starts.
*/
export const becomeNobody = (): void => {
	beforeAll(() => {
		if (process.getuid?.() === 0) {
			process.setgroups?.([nobody]);
			process.setgid?.(nobody);
			process.setuid?.(nobody);
		}
	});
};
