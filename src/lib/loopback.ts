import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import type {Server} from 'node:http';
import type {Socket} from 'node:net';
import {Failure} from './failure.ts';
import {errorCode} from './files/reading.ts';

/**
Has a server listen where only this machine reaches it, and returns the port; any free one for 0.

@throws `Failure` of kind `refused` when it can't have that port
*/
export const listen = async (server: Server, port: number): Promise<number> => {
	server.listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		throw new Failure('refused', `Port ${port} is not available: ${causeOf(error)}.`, {
			hint: 'take another one, or leave --port out for any that is free',
			cause: error,
		});
	}

	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : port;
};

const causeOf = (error: unknown): string => {
	switch (errorCode(error)) {
		case 'EADDRINUSE':
			return 'another program listens there';
		case 'EACCES':
			return 'the system keeps it for others';
		default:
			return error instanceof Error ? error.message : String(error);
	}
};

/** Connections on which nobody has shown the token yet; the oldest goes when there are more. */
const mostUnauthenticated = 64;

/**
Keeps those who never say anything from taking all places: they lose theirs, the oldest first, while whoever has shown the token keeps it.

@returns what is told of a connection on which the token was shown
*/
export const limitUnauthenticated = (server: Server): ((socket: Socket) => void) => {
	const unauthenticated = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		unauthenticated.add(socket);
		socket.once('close', () => unauthenticated.delete(socket));
		const [oldest] = unauthenticated;
		if (unauthenticated.size > mostUnauthenticated) {
			oldest?.destroy();
		}
	});
	return socket => {
		unauthenticated.delete(socket);
	};
};

/** Whoever is slow to say what they want is let go; in milliseconds. */
export const patience = {
	headersTimeout: 5000,
	requestTimeout: 10_000,
	keepAliveTimeout: 5000,
	connectionsCheckingInterval: 1000,
	maxHeaderSize: 8 * 1024,
} as const;

/** Any port, since a tunnel can have another one at its other end. */
export const ownName = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/** Returns a word that nobody can guess, of signs that need no care in a link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Returns whether a word is the token, in a time that tells nothing of how much of it is right. */
export const isToken = (token: string, word: string): boolean =>
	timingSafeEqual(digest(token), digest(word));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
