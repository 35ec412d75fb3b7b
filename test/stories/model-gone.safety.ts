import {expect, test} from 'vitest';
import {overAcp} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('an agent whose model is gone fails again when it is started over, after one turn, and a person is asked again', async () => {
	await using session = await startSession({
		agents: [overAcp('fails.ts', 'prompt', '404', 'no such model: opus-0')],
	});
	const asked = async (turns: number, item: string) => {
		const there = await session.until(`${item}, or one turn too many`, ({state: {items}}) =>
			session.events('turn.started').length > turns ? null : items.find(({id}) => id === item),
		);
		return {there, turns: session.events('turn.started').length};
	};

	const why =
		'its model was not found: no such model: opus-0; name another one in the plan or in the agent’s own settings';
	expect(await asked(1, 'f-1')).toMatchObject({there: {kind: 'failure', why}, turns: 1});
	const {code, stdout} = await session.project.run('agent', 'AGT-001', 'restart');
	expect([code, stdout]).toEqual([0, expect.stringContaining('AGT-001 starts over')]);
	expect(await asked(2, 'f-2')).toMatchObject({there: {kind: 'failure', why}, turns: 2});
	expect((await session.agent('AGT-001', 'FAILED')).why).toBe(why);
	expect(session.events('turn.started').map(({items}) => items)).toEqual([[], ['m-1']]);
});
