import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {afterAll, beforeAll} from 'vitest';

/** A user and a group who own nothing. */
const nobody = 65_534;

/** Whether whoever runs the tests can be somebody else, too. */
export const isRoot = process.getuid?.() === 0;

/**
Gives root's rights up for good in this process, so for all tests of a file: no mode bit is in root's way.

Unlike `asNobody` it counts for what asks who started it as well: `access`, git, and whatever git starts. Returns a way to have a line of shell done with the rights that were given up.
*/
export const becomeNobody = (): ((line: string) => Promise<void>) => {
	const shell = isRoot ? spawn('sh', {stdio: ['pipe', 'pipe', 'ignore']}) : undefined;
	beforeAll(() => {
		if (isRoot) {
			process.setgroups?.([nobody]);
			process.setgid?.(nobody);
			process.setuid?.(nobody);
		}
	});
	afterAll(() => {
		shell?.stdin.end();
	});
	return async line => {
		shell?.stdin.write(`${line}; echo done\n`);
		await once(shell?.stdout ?? process.stdout, 'data');
	};
};
