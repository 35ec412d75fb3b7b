import {describe, expect, test} from 'vitest';
import type {Signal} from '../../../src/signals/index.ts';
import {createStarts} from '../../../src/supervisor/budgets.ts';
import {createSaid, start} from '../../../src/supervisor/perform/start/start.ts';
import {makeSupervised} from '../world.ts';

const effect = {
	key: {do: 'start', agent: 'AGT-001', turn: 1},
	do: 'start',
	agent: 'AGT-001',
	turn: 1,
	prompt: 'launch',
} as const;

test('a start that is no longer wanted when its turn comes is not made', async () => {
	const {world} = await makeSupervised({'readme.md': 'hello\n'});
	const turn = Promise.withResolvers<void>();
	const starts = {...createStarts(), turn: () => turn.promise};
	const starting = start({...world, starts}, effect);
	turn.resolve();
	expect(await starting).toEqual([]);
	expect(world.turns.size).toBe(0);
});

test('nothing is started by a supervisor that stops', async () => {
	const {world} = await makeSupervised({'readme.md': 'hello\n'});
	const starts = createStarts();
	starts.close();
	await expect(start({...world, starts}, effect)).rejects.toMatchObject({
		message: 'The supervisor is stopping.',
	});
});

describe('what an agent says in its turn', () => {
	const progress = (done: number): Signal => ({
		...{kind: 'progress', line: done, phase: 'Tests', status: `${done}/9000`},
		...{done, total: 9000},
	});

	test('is told as it comes, but for progress in a flood, whose latest is told before anything else', () => {
		const told: Signal[] = [];
		let atMs = 0;
		const said = createSaid(
			signal => told.push(signal),
			() => atMs,
		);
		for (let done = 1; done <= 5000; done++) {
			said.hear(progress(done), done);
		}

		const first = told.length;
		expect(first).toBeLessThan(100);
		expect(told.at(-1)).toEqual(progress(first));
		const title: Signal = {kind: 'title', line: 5001, value: 'Done'};
		said.hear(title, 5001);
		expect(told.slice(first)).toEqual([progress(5000), title]);
		atMs += 1000;
		said.hear(progress(5001), 5002);
		expect(told.at(-1)).toEqual(progress(5001));
		said.hear(progress(5002), 5003);
		said.flush();
		said.flush();
		expect(told.slice(first + 2)).toEqual([progress(5001), progress(5002)]);
	});

	test('is told within a second, whatever comes after it', async () => {
		const last = Promise.withResolvers<void>();
		const said = createSaid(signal => {
			if (signal.line === 500) {
				last.resolve();
			}
		});
		for (let done = 1; done <= 500; done++) {
			said.hear(progress(done), done);
		}

		await last.promise;
	});
});
