import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('scripts that ask in files are answered while they wait, and after they left the question to a person', async () => {
	await using session = await startSession({
		agents: [
			agent('asks-in-file.sh', ['src/present.txt', '600']),
			agent('asks-in-file.sh', ['src/away.txt', '0']),
		],
	});
	const home = join(session.project.environment.HOME ?? '', '.claude');
	const present = await session.item('question', 'AGT-001');
	expect(present).toMatchObject({title: 'Which auth method: OAuth or JWT?', free: false});
	await session.answer(present, 'oauth');
	const away = await session.item('question', 'AGT-002');
	await session.agent('AGT-002', 'CHECKPOINT');
	await session.answer(away, 'jwt');

	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/present.txt')).toBe('oauth');
	expect(git(session.project.root, 'show', 'main:src/away.txt')).toBe('jwt');
	const prompts = session.events('turn.started').map(({agent, prompt}) => [agent, prompt]);
	expect(prompts.toSorted()).toEqual([
		['AGT-001', 'launch'],
		['AGT-002', 'launch'],
		['AGT-002', 'resume'],
	]);

	const name = `workflow_${session.id}_AGT-002_q1`;
	const audit = readFileSync(join(home, 'audit', 'questions.log'), 'utf8');
	expect(audit).toContain(`| ${name} | Which auth method: OAuth or JWT? | jwt |`);
	expect(existsSync(join(home, 'questions', 'answered', `${name}.json`))).toBe(true);
	const {stdout} = await session.project.run('log', '--questions', '--json');
	const {questions} = JSON.parse(stdout);
	expect(questions).toHaveLength(2);
	expect(questions).toEqual(
		expect.arrayContaining([
			expect.objectContaining({answer: 'oauth', by: 'user', path: 'quick'}),
			expect.objectContaining({answer: 'jwt', by: 'user', path: 'escalated'}),
		]),
	);
});
