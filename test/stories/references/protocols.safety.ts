import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';

test('pattern 2, sequential dependency: the parent resumes agent A with the results of agent B', async () => {
	await using session = await startSession({agents: [agent('references/sets-up.sh')]});
	await session.answer(await session.item('delegation', 'AGT-001'), 'approve');
	await session.accept('AGT-002', 'AGT-001');
	const status = JSON.parse((await session.project.run('status', '--json')).stdout);
	expect(status.agents[1]).toMatchObject({
		title: 'Infrastructure',
		created: ['src/base.txt', 'src/never.txt'],
		counts: [3],
		results: [{topic: 'Base', status: 'done', path: 'src/base.txt', summary: 'One line'}],
	});
	await session.approve();
	const {stdout: report} = await session.project.run('report');
	expect(report).toContain('Infrastructure');
	const fileOf = (path: string) => git(session.project.root, 'show', `main:${path}`);
	const told = fileOf('src/told.txt');
	const results = told.slice(told.indexOf('\nRESULTS\n') + 1);
	expect(results.slice(0, results.indexOf('\n\n'))).toBe(
		[
			'RESULTS',
			'AGT-002 COMPLETE: reported completion',
			'- Title: Infrastructure',
			'- Path: src/base.txt, src/never.txt',
			'- Summary: The base is laid',
			'- Count: 3',
			'- Found: src/base.txt',
			'- Said, but not found: src/never.txt',
			'- Result: Base · done · src/base.txt · One line',
			'- Metrics: coverage: 91 %',
			'- Recommends: Back it up',
			'- Last message:',
			'  AGT-002: I chose port 5433, since 5432 was taken.',
			'  AGT-002: Ask me for nothing more.',
			'In full: .delegate/results.md',
		].join('\n'),
	);
	expect(fileOf('src/whole.txt')).toContain('AGT-002: I chose port 5433, since 5432 was taken.');
	expect(fileOf('src/house.txt')).toBe('base by AGT-002');
	const merged = git(session.project.root, 'show', '--format=', '--name-only', 'main');
	expect(merged).not.toContain('.delegate');
});

test('agent A goes on as soon as agent B has completed where the plan says so', async () => {
	await using session = await startSession({
		resume: 'completed',
		agents: [agent('references/sets-up.sh')],
	});
	await session.answer(await session.item('delegation', 'AGT-001'), 'approve');
	await session.item('review', 'AGT-001');
	expect(session.state().agents.map(({verdict}) => verdict.kind)).toEqual(['none', 'none']);
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/house.txt')).toBe('base by AGT-002');
});
