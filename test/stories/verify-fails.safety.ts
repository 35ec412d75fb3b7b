import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {git, write} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** A session whose merged result fails its check until a file beside the repository is there. */
const startFailing = async (): Promise<Session> => {
	const project = makeProject();
	const session = await startSession(
		{
			agents: [agent('takes-feedback.sh', ['src/one.txt'])],
			verify: [`grep -q better src/one.txt || test -e ${join(project.aside, 'passes')}`],
		},
		project,
	);
	await session.accept('AGT-001');
	return session;
};

test('a check that failed is run again on the same result', async () => {
	await using session = await startFailing();
	const {root, aside} = session.project;
	const failed = await session.item('verify');
	expect(failed.title).toContain('exited with code 1');
	write(aside, {passes: ''});
	await session.answer(failed, 'retry');
	await session.approve();
	expect(git(root, 'show', 'main:src/one.txt')).toBe('first try');
	expect(session.events('verify.ended').map(({ok}) => ok)).toEqual([false, true]);
	expect(session.events('merge.built')).toHaveLength(1);
});

test('after a failed check everybody is sent back with what failed', async () => {
	await using session = await startFailing();
	await session.answer(await session.item('verify'), 'feedback', 'Make it better');
	await session.event('turn.started', ({prompt}) => prompt === 'resume');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/one.txt')).toMatch(
		/^REVIEW FEEDBACK .*exited with code 1.*Make it better$/,
	);
});

test('a failed check is accepted, and the approval says that it failed', async () => {
	await using session = await startFailing();
	await session.answer(await session.item('verify'), 'accept');
	const approval = await session.item('approval');
	expect(approval.title).toContain('its check FAILED');
	const {code} = await session.approve();
	expect(code).toBe(0);
	expect(git(session.project.root, 'show', 'main:src/one.txt')).toBe('first try');
});

test('after a failed check all work is left out', async () => {
	await using session = await startFailing();
	const {root} = session.project;
	const before = git(root, 'rev-parse', 'main');
	await session.answer(await session.item('verify'), 'abort');
	const {code, ended} = await session.end();
	expect([code, ended.status]).toEqual([1, 'ABORTED']);
	expect(git(root, 'rev-parse', 'main')).toBe(before);
});
