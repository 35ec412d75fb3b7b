import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {dirname} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {Caller} from '../../src/control/caller.ts';
import {startRawClient, startServer, temporaryPath} from './helpers.ts';

const isLinux = process.platform === 'linux';

/** A server that answers each request with who asked it. */
const startAsking = async (): Promise<string> => {
	const path = temporaryPath();
	const handle = async (_: unknown, __: unknown, ___: unknown, caller: () => Caller) => caller();
	await startServer(path, {askWho: true, handle});
	return path;
};

const send = new URL('../../src/control/send.ts', import.meta.url).href;

test.runIf(isLinux)('a server finds out by itself which process asks', async () => {
	const path = await startAsking();
	const script = `
		const {connect} = await import(${JSON.stringify(send)});
		const control = await connect(${JSON.stringify(path)});
		console.log(JSON.stringify([await control.request({}), await control.request({})]));
		control.close();`;
	const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
	onTestFinished(() => void child.kill('SIGKILL'));
	const [told] = await once(child.stdout, 'data');
	const caller = {kind: 'process', pid: child.pid};
	expect(JSON.parse(String(told))).toEqual([caller, caller]);
	expect(readdirSync(dirname(path))).toEqual(['control.sock']);
});

test.runIf(isLinux)('who does not show itself is hidden', async () => {
	const path = await startAsking();
	const {socket, next} = await startRawClient(path);
	socket.write('{"id": 1}\n');
	expect(await next()).toEqual({id: 1, ok: true, value: {kind: 'hidden'}});
});

test.runIf(isLinux)('who could not be asked to show itself is hidden, too', async () => {
	const {makeToken} = await import('../../src/control/caller.ts');
	const token = makeToken('/nowhere/control.sock');
	expect(token.hold).toBeUndefined();
	expect(token.caller()).toEqual({kind: 'hidden'});
});

test.skipIf(isLinux)('a system without a table of processes tells nothing', async () => {
	const path = await startAsking();
	const {socket, next} = await startRawClient(path);
	socket.write('{"id": 1}\n');
	expect(await next()).toEqual({id: 1, ok: true, value: {kind: 'unknown'}});
});
