import {once} from 'node:events';
import type {Server} from 'node:http';
import {Failure} from '../../lib/failure.ts';
import {errorCode} from '../../lib/files/disk-failure.ts';

/**
Has a server listen where only this machine reaches it, and returns the port; any free one for 0.

@throws `Failure` of kind `refused` when it can't have that port
*/
export const listen = async (server: Server, port: number): Promise<number> => {
	server.listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		throw new Failure('refused', `Port ${port} can’t be had: ${causeOf(error)}.`, {
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
