import {once} from 'node:events';
import {request} from 'node:http';
import {createServer} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {createGates} from '../../../src/supervisor/machine/gates.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test('a process that makes up hosts without end is refused each one, and fifty of them are told, the last one as such', async () => {
	const told: (readonly [host: string, isLast: boolean])[] = [];
	const gates = createGates(temporaryFolder());
	onTestFinished(gates.close);
	const socketPath = await gates.open('AGT-001', {
		hosts: [],
		onRefused: (...refused) => told.push(refused),
	});
	for (let number = 1; number <= 60; number++) {
		const asked = request({socketPath, path: `http://host-${number}.invalid/`}).end();
		const [answer] = await once(asked, 'response');
		answer.resume();
		expect(answer.statusCode).toBe(403);
	}

	expect(told).toHaveLength(50);
	expect(told.filter(([, isLast]) => isLast)).toEqual([['host-50.invalid', true]]);
});

test('a process that lives on keeps its connections while its gate has the same hosts, and is told of by its latest turn', async () => {
	const told: string[] = [];
	const gates = createGates(temporaryFolder());
	onTestFinished(gates.close);
	const host = createServer(peer => void peer.pipe(peer)).listen(0, '127.0.0.1');
	onTestFinished(() => void host.close());
	await once(host, 'listening');
	const address = host.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const open = (turn: string, hosts = ['127.0.0.1']) =>
		gates.open('AGT-001', {hosts, onRefused: name => told.push(`${turn} ${name}`)});
	const socketPath = await open('first');
	const tunnel = request({socketPath, method: 'CONNECT', path: `127.0.0.1:${port}`}).end();
	const [, held] = await once(tunnel, 'connect');
	expect(await open('second')).toBe(socketPath);
	held.write('still here');
	expect(`${(await once(held, 'data'))[0]}`).toBe('still here');
	const [answer] = await once(
		request({socketPath, path: 'http://other.invalid/'}).end(),
		'response',
	);
	answer.resume();
	expect(told).toEqual(['second other.invalid']);

	const closed = once(held, 'close');
	await open('third', []);
	await closed;
});
