import type {Server} from 'node:http';
import type {Socket} from 'node:net';

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
