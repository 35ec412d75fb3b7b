import {closeSync, openSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {requireLockHolder} from '../../src/client/supervisor/require-lock-holder.ts';
import {startClient, startServer, temporaryPath} from '../control/helpers.ts';

/** A file that this process has open, as a supervisor has its lock. */
const openLock = (): string => {
	const path = `${temporaryPath()}.lock`;
	const descriptor = openSync(path, 'w');
	onTestFinished(() => closeSync(descriptor));
	return path;
};

/** A file that nobody has open. */
const closedLock = (): string => {
	const path = `${temporaryPath()}.lock`;
	closeSync(openSync(path, 'w'));
	return path;
};

test('who has the lock open is the supervisor', async () => {
	const path = temporaryPath();
	await startServer(path, {askWho: true});
	const client = await startClient(path);
	expect(requireLockHolder(client, openLock())).toBe(client);
});

test.runIf(process.platform === 'linux').for([
	['has not the lock', true],
	['does not say who it is', false],
] as const)('what %s is asked for nothing', async ([, askWho]) => {
	const path = temporaryPath();
	await startServer(path, {askWho});
	const client = await startClient(path);
	const lock = askWho ? closedLock() : openLock();
	expect(() => requireLockHolder(client, lock)).toThrow('asked for nothing');
	await client.closed;
});
