import {closeSync, openSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {holdsLock} from '../../src/client/supervisor/holds-lock.ts';
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
	expect(holdsLock(client, openLock())).toBe(true);
});

test.runIf(process.platform === 'linux').for([
	['has not the lock', true],
	['does not say who it is', false],
] as const)('what %s is not the supervisor', async ([, askWho]) => {
	const path = temporaryPath();
	await startServer(path, {askWho});
	const client = await startClient(path);
	const lock = askWho ? closedLock() : openLock();
	expect(holdsLock(client, lock)).toBe(false);
});
