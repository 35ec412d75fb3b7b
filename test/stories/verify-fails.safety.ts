import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a check that failed is run again on the same result, and accepted all the same the approval says that it failed', async () => {
	await using session = await startSession({
		agents: [agent('edits.sh', ['src/one.txt', 'first try'])],
		verify: ['grep -q better src/one.txt'],
	});
	await session.accept('AGT-001');
	const failed = await session.item('verify');
	expect(failed.title).toContain('exited with code 1');
	await session.answer(failed, 'retry');
	await session.answer(await session.item('verify'), 'accept');
	const approval = await session.item('approval');
	expect(approval.title).toContain('its check FAILED');
	const {code} = await session.approve();
	expect(code).toBe(0);
	expect(git(session.project.root, 'show', 'main:src/one.txt')).toBe('first try');
	expect(session.events('verify.ended').map(({ok}) => ok)).toEqual([false, false]);
	expect(session.events('merge.built')).toHaveLength(1);
});
