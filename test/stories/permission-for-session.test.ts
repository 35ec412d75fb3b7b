import {expect, test} from 'vitest';
import {scripted} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('what a person allows for the session is not asked again until they take it back', async () => {
	await using session = await startSession({
		agents: [
			scripted({
				steps: [
					{run: 'sort --reverse readme.md'},
					{run: 'sort --reverse readme.md readme.md'},
					{run: 'sort --reverse /etc/hostname'},
					{run: 'sort --reverse readme.md'},
					{complete: {}},
				],
			}),
		],
	});
	const first = await session.item('permission');
	expect(first).toMatchObject({command: 'sort --reverse readme.md'});
	await session.answer(first, 'always');
	const outside = await session.item('permission');
	expect(outside).toMatchObject({command: 'sort --reverse /etc/hostname'});

	const agent = (...words: readonly string[]) => session.project.run('agent', 'AGT-001', ...words);
	expect((await agent('permissions')).stdout.trim()).toBe('al-1  sort --reverse *');
	expect((await agent('withdraw', 'al-2')).code).toBe(1);
	expect((await agent('withdraw', 'al-1')).code).toBe(0);
	await session.answer(outside, 'refuse');
	const again = await session.item('permission');
	expect(again).toMatchObject({command: 'sort --reverse readme.md'});
	await session.answer(again, 'once');
	await session.accept('AGT-001');
	expect(session.events('permission.asked')).toHaveLength(3);
	// One before each command that was asked about.
	expect((await session.agent('AGT-001', 'COMPLETE')).checkpoints).toBe(3);
});
