import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createConnection, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {onTestFinished} from 'vitest';
import {type Control, connect} from '../../src/control/send.ts';
import {type ControlServer, type ServeOptions, serve} from '../../src/control/socket.ts';

/** A path for a socket, in a folder that is removed when the test ends. */
export const temporaryPath = (): string => {
	const folder = mkdtempSync(join(tmpdir(), 'delegate-tui-test-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	return join(folder, 'control.sock');
};

/** A server that answers with what it is asked, unless told otherwise. */
export const startServer = async (
	path: string,
	options: Partial<ServeOptions> = {},
): Promise<ControlServer> => {
	const server = await serve({
		path,
		version: '1.2.3',
		handle: async request => request,
		...options,
	});
	onTestFinished(() => server.close());
	return server;
};

export const startClient = async (path: string): Promise<Control> => {
	const client = await connect(path);
	onTestFinished(() => client.close());
	return client;
};

export type RawClient = {
	readonly socket: Socket;
	/** The next line that the server sends, parsed; nothing when it ends the connection. */
	readonly next: () => Promise<unknown>;
};

/** A client that sends whatever a test wants, behind the hello. */
export const startRawClient = async (path: string): Promise<RawClient> => {
	const socket = createConnection(path);
	socket.on('error', () => {});
	onTestFinished(() => {
		socket.destroy();
	});
	await once(socket, 'connect');
	const lines = createInterface({input: socket})[Symbol.asyncIterator]();
	const next = async () => {
		const {done, value} = await lines.next();
		return done ? undefined : JSON.parse(value);
	};

	await next();
	return {socket, next};
};
