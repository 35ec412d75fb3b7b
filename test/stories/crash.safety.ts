import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('an agent that crashed is tried again where it stood', async () => {
	await using session = await startSession({agents: [agent('crashes.sh', ['src/one.txt'])]});
	const failure = await session.item('failure', 'AGT-001');
	expect(failure.title).toBe('Failed: exited with code 7: the disk is on fire');
	await session.answer(failure, 'retry');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/one.txt')).toBe('whole');
});

test('an agent that died over an answer is given it again when it is tried again', async () => {
	await using session = await startSession({
		agents: [agent('asks-then-hangs.sh', ['src/name.txt'])],
	});
	await session.answer(await session.item('question'), 'Ada');
	const turn = await session.event('turn.started', started => started.turn === 2);
	await session.event('signal.said', said => said.turn === 2);
	process.kill(turn.pid, 'SIGKILL');
	const failure = await session.item('failure');
	expect(failure.title).toBe('Failed: was killed by SIGKILL, perhaps for lack of memory');
	await session.answer(failure, 'retry');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/name.txt')).toBe('Ada, again');
});

test('of an agent that crashed the picked files are salvaged', async () => {
	await using session = await startSession({
		agents: [agent('crashes.sh', ['src/keep/one.txt', 'src/leave/two.txt'])],
	});
	await session.answer(await session.item('failure'), 'salvage', 'src/keep/**');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', '--format=', '--name-only', 'main')).toBe('src/keep/one.txt');
	expect(git(root, 'show', 'main:src/keep/one.txt')).toBe('half');
	expect(session.state().agents[0]?.state).toBe('MERGED');
});

test('of an agent that crashed a patch takes a part, and nothing that is none of its work', async () => {
	await using session = await startSession({
		agents: [agent('crashes.sh', ['src/keep/one.txt', 'src/leave/two.txt'])],
	});
	const {project} = session;
	const failure = await session.item('failure');
	const {stdout} = await project.run('diff', 'AGT-001');
	const [first = ''] = stdout.split(/^(?=diff --git)/m);
	const salvage = (patch: string) => {
		write(project.aside, {'part.patch': patch});
		return project.run(
			'answer',
			failure.id,
			'salvage',
			'--file',
			join(project.aside, 'part.patch'),
		);
	};
	const refused = await salvage(first.replace('+half', '+mine'));
	expect([refused.code, refused.stderr]).toEqual([
		1,
		expect.stringContaining('not part of the work'),
	]);
	expect((await salvage(first)).code).toBe(0);
	await session.approve();
	expect(git(project.root, 'show', '--format=', '--name-only', 'main')).toBe('src/keep/one.txt');
});
