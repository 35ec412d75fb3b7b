import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type Server, type Socket} from 'node:net';
import {Failure} from './failure.ts';
import {errorCode} from './files/reading.ts';

/**
Makes a server listen on the loopback interface, and returns the port; 0 selects a free one.

@throws `Failure` of kind `refused` when the port isn't available
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

/** Returns a port of the loopback that nobody listens on now. */
export const freePort = async (): Promise<number> => {
	await using server = createServer();
	const port = await listen(server, 0);
	return port;
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

/** Maximum number of connections without a token so far; a further one closes the oldest. */
const mostUnauthenticated = 64;

/**
Limits idle connections: the oldest one without a token is closed, while connections that have sent the token stay open.

@returns a function to call with each connection that has sent the token
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

/** Limits for slow clients, in milliseconds. */
export const patience = {
	headersTimeout: 5000,
	requestTimeout: 10_000,
	keepAliveTimeout: 5000,
	connectionsCheckingInterval: 1000,
	maxHeaderSize: 8 * 1024,
} as const;

/** Matches any port, since a tunnel can have another one at its other end. */
export const ownName = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/** Returns a random token of URL-safe characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Compares a word with the token in constant time. */
export const isToken = (token: string, word: string): boolean =>
	timingSafeEqual(digest(token), digest(word));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
