import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	existsSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {createConnection, createServer} from 'node:net';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {setImmediate as turn} from 'node:timers/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import {readPointer} from '../../src/control/path.ts';
import {connect} from '../../src/control/send.ts';
import {serve} from '../../src/control/socket.ts';
import {Failure} from '../../src/lib/failure.ts';
import {startClient, startRawClient, startServer, temporaryPath} from './helpers.ts';

test('a client gets a hello, and an answer to each request', async () => {
	const path = temporaryPath();
	await startServer(path, {session: () => 'DEL-1'});
	const client = await startClient(path);
	expect(client.hello).toEqual({version: '1.2.3', session: 'DEL-1'});
	expect(await client.request({command: 'answer', item: 'q-1'})).toEqual({
		command: 'answer',
		item: 'q-1',
	});
});

test('without a session the hello names none', async () => {
	const path = temporaryPath();
	await startServer(path, {session: () => undefined});
	expect((await startClient(path)).hello).toEqual({version: '1.2.3'});
});

test('requests are answered in the order in which they get done', async () => {
	const path = temporaryPath();
	const gate = Promise.withResolvers<unknown>();
	await startServer(path, {
		handle: async request => (isFirst(request) ? gate.promise : 'second'),
	});
	const client = await startClient(path);
	const first = client.request({first: true});
	expect(await client.request({first: false})).toBe('second');
	gate.resolve('first');
	expect(await first).toBe('first');
});

const isFirst = (request: unknown): boolean => JSON.stringify(request) === '{"first":true}';

test('an answer may come in parts', async () => {
	const path = temporaryPath();
	await startServer(path, {
		handle: async (_, reply) => {
			reply({page: 1});
			reply({page: 2});
		},
	});
	const client = await startClient(path);
	const parts: unknown[] = [];
	expect(await client.request({}, part => parts.push(part))).toBeUndefined();
	expect(parts).toEqual([{page: 1}, {page: 2}]);
});

test('a handler learns that nobody waits for its answer any more', async () => {
	const path = temporaryPath();
	const waiting = Promise.withResolvers<AbortSignal>();
	await startServer(path, {
		handle: async (_, __, gone) => {
			waiting.resolve(gone);
			await once(gone, 'abort');
		},
	});
	const client = await startClient(path);
	const lost = client.request({});
	const gone = await waiting.promise;
	expect(gone.aborted).toBe(false);
	client.close();
	await expect(lost).rejects.toBeInstanceOf(Failure);
	await once(gone, 'abort');
	expect(gone.aborted).toBe(true);
});

test('a failure crosses the socket as it is', async () => {
	const path = temporaryPath();
	await startServer(path, {
		handle: async request => {
			throw JSON.stringify(request).includes('known')
				? new Failure('refused', 'The item is gone.', {hint: 'Look at the inbox.'})
				: new TypeError('surprise');
		},
	});
	const client = await startClient(path);
	await expect(client.request({known: true})).rejects.toMatchObject({
		name: 'Failure',
		kind: 'refused',
		message: 'The item is gone.',
		hint: 'Look at the inbox.',
	});
	await expect(client.request({})).rejects.toMatchObject({
		kind: 'internal',
		message: 'surprise',
		hint: undefined,
	});
});

test('an answer that does not fit or can’t be written is a failure of its own', async () => {
	const path = temporaryPath();
	const circle: {self?: unknown} = {};
	circle.self = circle;
	const results = new Map<string, () => unknown>([
		['large', () => 'x'.repeat(2 ** 20)],
		['circle', () => circle],
		['wordy', () => Promise.reject(new Error('x'.repeat(2 ** 21)))],
	]);
	await startServer(path, {
		handle: async request => results.get(Object.values(Object(request)).join())?.(),
	});
	const client = await startClient(path);
	await expect(client.request({is: 'large'})).rejects.toThrow('larger than 1 MiB');
	await expect(client.request({is: 'circle'})).rejects.toThrow('circular');
	await expect(client.request({is: 'wordy'})).rejects.toThrow('xxx');
	await expect(client.request({is: 'x'.repeat(2 ** 20)})).rejects.toMatchObject({kind: 'usage'});
	expect(await client.request({is: 'none'})).toBeUndefined();
});

test('what is no request gets an error, and the next request its answer', async () => {
	const path = temporaryPath();
	await startServer(path);
	const {socket, next} = await startRawClient(path);
	const malformed = [
		'',
		'{',
		'null',
		'[]',
		'3',
		'"x"',
		'{}',
		'{"id":null}',
		'{"id":{}}',
		`{"id":"${'x'.repeat(200)}"}`,
		'\0\xff',
		'['.repeat(100_000),
	];
	for (const text of malformed) {
		socket.write(`${text}\n`);
		expect(await next(), text.slice(0, 20)).toMatchObject({
			id: null,
			ok: false,
			error: {kind: 'usage', message: expect.stringContaining('JSON')},
		});
	}

	socket.write('{"id":"a","__proto__":{"kind":"x"}}\n{"id":2,"n":1}\n');
	expect(await next()).toMatchObject({id: 'a', ok: true});
	expect(await next()).toEqual({id: 2, ok: true, value: {n: 1}});
});

test('a frame that is too large gets an error and ends the connection', async () => {
	const path = temporaryPath();
	await startServer(path);
	const {socket, next} = await startRawClient(path);
	socket.write(Buffer.alloc(2 ** 20 + 1, 'x'));
	expect(await next()).toMatchObject({
		id: null,
		error: {message: expect.stringContaining('1 MiB')},
	});
	expect(await next()).toBeUndefined();
	expect((await startClient(path)).hello.version).toBe('1.2.3');
});

test('a client that does not read is dropped, and others are served', async () => {
	const path = temporaryPath();
	const flooded = Promise.withResolvers<void>();
	let handled = 0;
	await startServer(path, {
		handle: async () => {
			handled++;
			if (handled === 20) {
				flooded.resolve();
			}

			return 'x'.repeat(1_000_000);
		},
	});
	const socket = createConnection(path);
	const closed = once(socket, 'close');
	for (let id = 0; id < 40; id++) {
		socket.write(`{"id":${id}}\n`);
	}

	await flooded.promise;
	const other = await startClient(path);
	expect(await other.request({})).toHaveLength(1_000_000);
	let received = 0;
	socket.on('data', chunk => {
		received += chunk.length;
	});
	await closed;
	expect(received).toBeLessThan(20_000_000);
});

test('a client that leaves in the middle harms nobody', async () => {
	const path = temporaryPath();
	const gate = Promise.withResolvers<unknown>();
	const asked = Promise.withResolvers<void>();
	await startServer(path, {
		handle: async request => {
			asked.resolve();
			return JSON.stringify(request) === '{}' ? gate.promise : 'well';
		},
	});
	const {socket} = await startRawClient(path);
	socket.write('{"id":1}\n{"id":');
	await asked.promise;
	socket.destroy();
	await turn();
	gate.resolve('too late');
	expect(await (await startClient(path)).request({how: 'are you'})).toBe('well');
});

test('only the owner can connect, and only the socket is left in the folder', async () => {
	const path = temporaryPath();
	await startServer(path);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(readdirSync(dirname(path))).toEqual(['control.sock']);
});

test('what a killed server left is replaced', async () => {
	const path = temporaryPath();
	const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('on'))`;
	const child = spawn(process.execPath, ['-e', script], {stdio: ['ignore', 'pipe', 'inherit']});
	await once(child.stdout, 'data');
	child.kill('SIGKILL');
	await once(child, 'exit');
	expect(existsSync(path)).toBe(true);
	await expect(connect(path)).rejects.toMatchObject({kind: 'missing'});
	await startServer(path);
	expect((await startClient(path)).hello.version).toBe('1.2.3');
});

test('what is not a socket is left alone', async () => {
	const path = temporaryPath();
	writeFileSync(path, 'mine');
	const options = {path, version: '1', handle: async () => {}};
	await expect(serve(options)).rejects.toMatchObject({kind: 'refused'});
	expect(readdirSync(dirname(path))).toEqual(['control.sock']);
	const below = {...options, path: `${path}/below`};
	await expect(serve(below)).rejects.toBeInstanceOf(Failure);
});

test('closing removes the socket, and lets clients read their answers', async () => {
	const path = temporaryPath();
	const server = await startServer(path);
	const client = await startClient(path);
	expect(await client.request({stop: true})).toEqual({stop: true});
	await server.close();
	await client.closed;
	expect(existsSync(path)).toBe(false);
	await expect(client.request({})).rejects.toMatchObject({kind: 'missing'});
});

test('closing leaves the socket of a successor', async () => {
	const path = temporaryPath();
	const old = await startServer(path);
	await startServer(path, {version: '2.0.0'});
	await old.close();
	expect((await startClient(path)).hello.version).toBe('2.0.0');
});

test('a socket that vanishes is put there again, and connections live on', async () => {
	const path = temporaryPath();
	await startServer(path, {checkMs: 5});
	const before = await startClient(path);
	for (const target of [path, dirname(path)]) {
		rmSync(target, {recursive: true});
		while (!existsSync(path)) {
			await turn();
		}

		expect((await startClient(path)).hello.version).toBe('1.2.3');
	}

	expect(await before.request({still: 'here'})).toEqual({still: 'here'});
});

test('a server takes its place back, and the file that names it, whatever is there instead', async () => {
	const path = temporaryPath();
	const pointer = join(dirname(path), 'pointer');
	await startServer(path, {checkMs: 5, pointer});
	expect(readFileSync(pointer, 'utf8')).toBe(path);
	const other = createServer(socket => socket.destroy());
	onTestFinished(() => void other.close());
	other.listen(`${path}.other`);
	await once(other, 'listening');
	for (const replace of [
		() => renameSync(`${path}.other`, path),
		() => rmSync(pointer),
		() => execFileSync('ln', ['-sf', '/dev/zero', pointer]),
		() => {
			rmSync(path);
			writeFileSync(path, 'no socket');
		},
	]) {
		replace();
		await vi.waitUntil(
			async () => {
				const named = readPointer(pointer);
				const found = named === undefined ? undefined : await connect(named).catch(() => undefined);
				found?.close();
				return found?.hello.version === '1.2.3';
			},
			{timeout: 60_000, interval: 5},
		);
	}
});

test('where nobody listens is said so', async () => {
	const path = temporaryPath();
	const failure = {kind: 'missing', message: expect.stringContaining('No program listens')};
	await expect(connect(path)).rejects.toMatchObject(failure);
	writeFileSync(path, '');
	await expect(connect(path)).rejects.toMatchObject(failure);
});

test('a connection that is lost while a request waits is a failure', async () => {
	const path = temporaryPath();
	const asked = Promise.withResolvers<void>();
	const server = await startServer(path, {
		handle: () => {
			asked.resolve();
			return new Promise(() => {});
		},
	});
	const client = await startClient(path);
	const answered = expect(client.request({})).rejects.toMatchObject({
		kind: 'missing',
		message: expect.stringContaining('lost'),
	});
	await asked.promise;
	await server.close();
	await answered;
});

test('more connections than a server takes at a time are closed, and later ones are taken again', async () => {
	const path = temporaryPath();
	await startServer(path, {most: 2});
	const [first] = await Promise.all([startClient(path), startClient(path)]);
	await expect(connect(path)).rejects.toThrow('The connection was lost');
	first.close();
	await vi.waitFor(() => startClient(path), {timeout: 60_000});
});

test('a client that closes gets no answer any more', async () => {
	const path = temporaryPath();
	await startServer(path, {handle: () => new Promise(() => {})});
	const client = await startClient(path);
	const answered = expect(client.request({})).rejects.toThrow('on this side');
	client.close();
	await answered;
	await client.closed;
	await expect(client.request({})).rejects.toThrow('on this side');
});

test.each([
	['says no hello', '{"hi":1}\n', 'can’t read'],
	['says nonsense', 'HTTP/1.1 400 Bad Request\r\n', 'can’t read'],
	['never ends its hello', 'x'.repeat(2 ** 20 + 1), 'can’t read'],
	['answers in a way of its own', '{"version":"9"}\n{"id":1,"fine":true}\n', 'can’t read'],
])('a server that %s is a failure', async (_, text, reason) => {
	const path = await startSaying(text);
	const asking = connect(path, {timeoutMs: 60_000}).then(client => client.request({}));
	await expect(asking).rejects.toThrow(reason);
});

test('a server that says nothing is a failure once it had its time', async () => {
	const path = await startSaying('');
	await expect(connect(path, {timeoutMs: 100})).rejects.toThrow('does not answer');
});

/** A server of another kind, which says this to everybody; returns its path. */
const startSaying = async (text: string): Promise<string> => {
	const path = temporaryPath();
	const server = createServer(socket => {
		socket.on('error', () => {});
		socket.write(text);
	});
	server.listen(path);
	await once(server, 'listening');
	onTestFinished(() => {
		server.close();
	});
	return path;
};
