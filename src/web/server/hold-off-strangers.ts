import type {Server} from 'node:http';
import type {Socket} from 'node:net';

/** Connections on which nobody has shown the token yet; the oldest goes when there are more. */
const mostStrangers = 64;

/**
Keeps those who never say anything from taking all places: they lose theirs, the oldest first, while whoever has shown the token keeps it.

@returns what is told of a connection on which the token was shown
*/
export const holdOffStrangers = (server: Server): ((socket: Socket) => void) => {
	const strangers = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		strangers.add(socket);
		socket.once('close', () => strangers.delete(socket));
		const [oldest] = strangers;
		if (strangers.size > mostStrangers) {
			oldest?.destroy();
		}
	});
	return socket => {
		strangers.delete(socket);
	};
};
