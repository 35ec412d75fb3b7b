import {once} from 'node:events';
import {request} from 'node:http';
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
