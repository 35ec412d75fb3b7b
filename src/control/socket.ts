import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {chmod, lstat, mkdir, rename, rm, unlink} from 'node:fs/promises';
import {createServer, type Server, type Socket} from 'node:net';
import {dirname, join} from 'node:path';
import {defined} from '../lib/defined.ts';
import {Failure} from '../lib/failure.ts';
import {ifThere} from '../lib/files/if-there.ts';
import {answerRequests, type Handle} from './answer-requests.ts';
import {makeToken, noToken} from './caller.ts';
import {keepPointer} from './pointer.ts';

export type ServeOptions = {
	readonly path: string;
	/** A file that names the path to those who can't know it. */
	readonly pointer?: string;
	/** Version of this program, for the other side to compare. */
	readonly version: string;
	/** The session that is active when somebody connects. */
	readonly session?: () => string | undefined;
	readonly handle: Handle;
	/** Whether clients are asked to show which process they are; `Handle` is told. */
	readonly askWho?: boolean;
	/** How often to see whether the socket is still in its place. */
	readonly checkMs?: number;
};

export type ControlServer = {
	/** Sends what was answered, ends every connection and takes the socket away, if it is still ours. */
	readonly close: () => Promise<void>;
};

/**
Listens at `path`. What is left there by a server that is gone is replaced, so hold the lock of the repository first.

A socket that vanishes, as old files in a temporary folder do, is put there again, and so is one that another took the place of: whoever holds the lock is who should answer. The same holds for the file that names the path.
*/
export const serve = async (options: ServeOptions): Promise<ControlServer> => {
	const {path, handle, checkMs = 3000} = options;
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
	let bound = await bind(path, accept);
	let checking = Promise.resolve();
	const check = setInterval(() => {
		checking = checking
			.then(async () => {
				if ((await inodeAt(path)) !== bound.inode) {
					const lost = bound.server;
					await rm(path, {force: true});
					bound = await bind(path, accept);
					lost.close();
				}

				await keepPointed();
			})
			.catch(ignore);
	}, checkMs);
	check.unref();

	return {
		close: async () => {
			clearInterval(check);
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

/**
Binds under a name of its own first and moves it into place: there is no moment without a socket, and closing the server, which removes the name it was bound under, can't remove another's.
*/
const bind = async (path: string, accept: (socket: Socket) => void): Promise<Bound> => {
	const temporary = join(dirname(path), `.${randomBytes(4).toString('hex')}`);
	const server = createServer(accept);
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
		throw new Failure('refused', `${path} is in the place of the socket, but is none.`, {
			hint: 'Look what it is, and move it away.',
		});
	}
};

const inodeAt = async (path: string): Promise<bigint | undefined> => (await lookAt(path))?.ino;

const lookAt = (path: string) => ifThere(lstat(path, {bigint: true}));

/** Lets a client read what was written for it, but doesn't wait for one that won't. */
const finish = (socket: Socket): void => {
	socket.end();
	setTimeout(() => socket.destroy(), 500).unref();
};

/** A check that failed is made again, and who could not be let in will knock again. */
const ignore = (): void => {};
