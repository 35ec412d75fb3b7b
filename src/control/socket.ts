import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {chmod, lstat, mkdir, rename, rm, unlink} from 'node:fs/promises';
import {createServer, type Server, type Socket} from 'node:net';
import {dirname, join} from 'node:path';
import * as z from 'zod/mini';
import {asFailure, Failure} from '../lib/failure.ts';
import {ifThere} from '../lib/files/reading.ts';
import {atMultiples} from '../lib/timers.ts';
import {defined} from '../lib/values.ts';
import {type Caller, makeToken, noToken} from './caller.ts';
import {keepPointer} from './path.ts';
import {
	type Answer,
	encodeFrame,
	failureAnswer,
	frameReader,
	type Hello,
	isRequest,
	type WireFrame,
} from './wire.ts';

export type ServeOptions = {
	readonly path: string;
	/** Pointer file for clients that can't derive the path. */
	readonly pointer?: string;
	readonly version: string;
	/** Returns the active session at the time of a connection. */
	readonly session?: () => string | undefined;
	readonly handle: Handle;
	/** True if clients must identify their process. */
	readonly askWho?: boolean;
	/** Maximum number of connections at a time; further ones are closed. */
	readonly most?: number;
	/** Interval of checks that the socket exists, in milliseconds. */
	readonly checkMs?: number;
};

export type ControlServer = {
	/** Flushes answers, closes all connections and removes the socket, if it is still ours. */
	readonly close: () => Promise<void>;
};

/**
Listens at `path`. Replaces an old socket, so hold the repository's lock first.

It restores a socket or pointer file that vanishes, like old temporary files do, or that another process replaced.
*/
export const serve = async (options: ServeOptions): Promise<ControlServer> => {
	const {path, handle, most = Infinity, checkMs = 3000} = options;
	const connections = new Set<Socket>();
	const keepPointed = async (): Promise<void> => {
		if (options.pointer !== undefined) {
			await keepPointer(options.pointer, path);
		}
	};

	const accept = (socket: Socket): void => {
		connections.add(socket);
		const token = options.askWho ? makeToken(path) : noToken;
		socket.on('close', () => {
			connections.delete(socket);
			token.close();
		});
		const session = options.session?.();
		const hello = {
			version: options.version,
			...defined({session, hold: token.hold}),
		};
		answerRequests(socket, hello, handle, token.caller);
	};

	await keepPointed();
	let bound = await bind(path, most, accept);
	let checking = Promise.resolve();
	const stopChecking = atMultiples(checkMs, () => {
		checking = checking
			.then(async () => {
				if ((await inodeAt(path)) !== bound.inode) {
					const lost = bound.server;
					await rm(path, {force: true});
					bound = await bind(path, most, accept);
					lost.close();
				}

				await keepPointed();
			})
			.catch(ignore);
	});

	return {
		close: async () => {
			stopChecking();
			await checking;
			if ((await inodeAt(path)) === bound.inode) {
				await unlink(path);
			}

			const closed = once(bound.server, 'close');
			bound.server.close();
			connections.forEach(finish);
			await closed;
		},
	};
};

type Bound = {readonly server: Server; readonly inode: bigint | undefined};

/** Binds to a temporary name and renames it: there is always a socket, and closing the server can't remove another process's. */
const bind = async (
	path: string,
	most: number,
	accept: (socket: Socket) => void,
): Promise<Bound> => {
	const temporary = join(dirname(path), `.${randomBytes(4).toString('hex')}`);
	const server = createServer(accept);
	server.maxConnections = most;
	try {
		await mkdir(dirname(path), {recursive: true, mode: 0o700});
		await refuseUnlessSocket(path);
		server.listen(temporary);
		await once(server, 'listening');
		server.on('error', ignore);
		await chmod(temporary, 0o600);
		const inode = await inodeAt(temporary);
		await rename(temporary, path);
		return {server, inode};
	} catch (error) {
		server.close();
		if (error instanceof Failure) {
			throw error;
		}

		throw new Failure('missing', `No socket could be put at ${path}.`, {
			hint: 'The folder must be writable, on a local disk, and its path short.',
			cause: error,
		});
	}
};

const refuseUnlessSocket = async (path: string): Promise<void> => {
	const found = await lookAt(path);
	if (found !== undefined && !found.isSocket()) {
		throw new Failure('refused', `${path} is in the place of the socket, but is not a socket.`, {
			hint: 'See what it is, and move it away.',
		});
	}
};

const inodeAt = async (path: string): Promise<bigint | undefined> => (await lookAt(path))?.ino;

const lookAt = (path: string) => ifThere(lstat(path, {bigint: true}));

/** Gives a client half a second to read its answers. */
const finish = (socket: Socket): void => {
	socket.end();
	setTimeout(() => socket.destroy(), 500).unref();
};

/** Ignores errors: a failed check is repeated, and a refused client connects again. */
const ignore = (): void => {};

/**
Handles a request and returns the answer.

@param reply sends a part of the answer early
@param gone aborts when the client disconnects
@param caller finds the calling process
*/
type Handle = (
	request: unknown,
	reply: (part: unknown) => void,
	gone: AbortSignal,
	caller: () => Caller,
) => Promise<unknown>;

/** Unread bytes after which a client is dropped. */
const backlogLimitBytes = 8 * 1024 ** 2;

const malformed = new Failure('usage', 'A request must be one line of JSON, an object with an id.');
const oversized = new Failure('usage', 'A request can’t be larger than 1 MiB.');

/** Greets a client and answers its requests, valid or not, until it disconnects. */
const answerRequests = (
	socket: Socket,
	hello: Hello,
	handle: Handle,
	caller: () => Caller,
): void => {
	const gone = new AbortController();
	const send = (message: Answer | Hello): void => {
		const text = encodeFrame(message);
		if (text === undefined) {
			throw new Failure('internal', 'The answer is larger than 1 MiB.', {
				hint: 'Ask for a smaller part.',
			});
		}

		if (socket.writable) {
			socket.write(text);
		}

		if (socket.writableLength > backlogLimitBytes) {
			socket.destroy();
		}
	};

	const answer = async (value: unknown): Promise<void> => {
		if (!isRequest(value)) {
			send(failureAnswer(null, malformed));
			return;
		}

		const {id, ...body} = value;
		try {
			const value = await handle(body, part => send({id, part}), gone.signal, caller);
			send({id, ok: true, value});
		} catch (error) {
			send(failureAnswer(id, asFailure(error)));
		}
	};

	const take = (frame: WireFrame): void => {
		if (frame.frame === 'value') {
			void answer(frame.value);
		} else if (frame.frame === 'malformed') {
			send(failureAnswer(null, malformed));
		} else {
			send(failureAnswer(null, oversized));
			socket.end();
		}
	};

	const read = frameReader();
	socket.on('error', () => socket.destroy());
	socket.on('close', () => gone.abort());
	socket.on('data', chunk => read(chunk).forEach(take));
	send(hello);
};

/** A page of the supervisor's answer to `show`. */
export const page = z.object({
	lines: z.readonly(z.array(z.string())),
	total: z.number(),
	/** Start of the next page; null at the end. */
	next: z.nullable(z.number()),
	/** Number of these lines that are shown cut. */
	cut: z.number(),
	remark: z.exactOptional(z.string()),
	/** Preview of a choice's effect on all work: sentences, and further details. */
	preview: z.exactOptional(z.looseObject({words: z.readonly(z.array(z.string()))})),
});
export type Page = z.infer<typeof page>;
