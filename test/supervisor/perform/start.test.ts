import {expect, test} from 'vitest';
import {createStarts} from '../../../src/supervisor/budgets.ts';
import {start} from '../../../src/supervisor/perform/start/start.ts';
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
	const starts = {turn: () => turn.promise, close: () => {}};
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
