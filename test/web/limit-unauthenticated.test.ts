import {once} from 'node:events';
import {createServer} from 'node:http';
import {connect, type Socket} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {limitUnauthenticated, listen} from '../../src/lib/loopback.ts';

test('of those who say nothing the oldest lose their places, and whoever is trusted keeps theirs', async () => {
	// It would wait for ever, so nobody is let go for being slow.
	const server = createServer({headersTimeout: 0, requestTimeout: 0});
	onTestFinished(() => void server.close().closeAllConnections());
	const trust = limitUnauthenticated(server);
	const port = await listen(server, 0);
	const enter = async () => {
		const arrival = once(server, 'connection');
		const socket = connect(port, '127.0.0.1').resume();
		onTestFinished(() => void socket.destroy());
		const [place]: Socket[] = await arrival;
		return {socket, place};
	};

	const trusted = await enter();
	if (trusted.place !== undefined) {
		trust(trusted.place);
	}

	const oldest = [await enter(), await enter(), await enter()];
	const gone = oldest.map(({socket}) => once(socket, 'close'));
	const others = [];
	while (others.length < 64) {
		others.push(await enter());
	}

	await Promise.all(gone);
	expect([trusted, ...others].filter(({socket}) => socket.destroyed)).toEqual([]);
});
