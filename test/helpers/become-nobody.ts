import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {afterAll, beforeAll} from 'vitest';

/** Id of a user and a group that own nothing. */
const nobody = 65_534;

/** True if the tests run as root, which can switch to another user. */
export const isRoot = process.getuid?.() === 0;

/**
Gives up root's rights in this process for all tests of a file, so that permission bits apply.

Unlike `asNobody` it also affects child processes: `access`, git, and git's children. Returns a function that runs a shell line with the former rights.
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
