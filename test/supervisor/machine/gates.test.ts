import {once} from 'node:events';
import {request} from 'node:http';
import {type AddressInfo, createServer} from 'node:net';
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

test('a port, a login or a status that there can’t be is refused, and the gate stays open', async () => {
	const gates = createGates(temporaryFolder());
	onTestFinished(gates.close);
	const socketPath = await gates.open('AGT-001', {hosts: ['127.0.0.1']});
	const answered = async (path: string): Promise<number | undefined> => {
		const [answer] = await once(request({socketPath, path}).end(), 'response');
		answer.resume();
		return answer.statusCode;
	};
	const tunnel = request({socketPath, method: 'CONNECT', path: '127.0.0.1:99999'}).end();
	const [refused] = await once(tunnel, 'connect');
	expect(refused.statusCode).toBe(400);
	expect(await answered('http://%zz@127.0.0.1/')).toBe(400);

	const host = createServer(peer => peer.once('data', () => peer.end('HTTP/1.1 099 Odd\r\n\r\n')));
	onTestFinished(() => void host.close());
	await once(host.listen(0, '127.0.0.1'), 'listening');
	const {port} = host.address() as AddressInfo;
	expect(await answered(`http://127.0.0.1:${port}/`)).toBe(502);
});
