import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';

test('patterns 1 and 3: three agents share nothing but what they find out, and the parent merges it all', async () => {
	const modules = ['one', 'two', 'three'];
	await using session = await startSession({
		agents: modules.map(name =>
			agent('references/shares-findings.sh', [name], {scope: {allowed: [`src/${name}.txt`]}}),
		),
	});
	await session.item('review', 'AGT-003');
	const [started] = session.events('session.started');
	expect(started?.warnings.join('\n')).toMatch(/no `context`[\s\S]*no `goal`/);
	await session.accept('AGT-001', 'AGT-002', 'AGT-003');
	await session.approve();
	const found = modules.map(name => `Module ${name} is sound`);
	const shared = readFileSync(session.folder.findings, 'utf8').trim().split('\n');
	expect(shared.map(line => JSON.parse(line).finding).toSorted()).toEqual(found.toSorted());
	const merged = git(session.project.root, 'show', '--format=', '--name-only', 'main');
	expect(merged.split('\n').toSorted()).toEqual(modules.map(name => `src/${name}.txt`).toSorted());
	const {stdout: report} = await session.project.run('report');
	for (const finding of found) {
		expect(report).toContain(finding);
	}
});

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
			'- Path: src/base.txt',
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

test('protocols 1 to 4: clarification, stop, delegation and completion, each told as the document has it', async () => {
	await using session = await startSession({agents: [agent('references/protocols.sh')]});
	const {project} = session;
	await session.answer(await session.item('question', 'AGT-001'), 'Both strategies');
	await session.answer(await session.item('question', 'AGT-001'), 'Deep dive');
	await session.answer(
		await session.item('blocker', 'AGT-001'),
		'resolved',
		'npm install went well',
	);
	await session.answer(await session.item('delegation', 'AGT-001'), 'approve');
	await session.accept('AGT-002');
	const review = await session.item('review', 'AGT-001');
	const {stdout: shown} = await project.run('inbox');
	expect(shown).toContain('Document module three');
	expect(shown).toContain('coverage: 91 %');
	expect(session.state().agents[0]?.snapshots.at(-1)?.claims).toMatchObject([
		{claim: 'src/clarified.txt', holds: true},
		{claim: 'src/never.txt', holds: false},
	]);
	await session.answer(review, 'merge');
	await session.approve();
	const told = (path: string) => git(project.root, 'show', `main:src/${path}.txt`);
	expect(told('clarified')).toMatch(/^ANSWER Q1: Both strategies$[\s\S]*^ANSWER Q2: Deep dive$/m);
	expect(told('clarified')).toContain('Read 12 of 30 files');
	expect(told('resolved')).toMatch(/^BLOCKER RESOLVED\n[\s\S]*npm install went well/);
	expect(told('delegated')).toMatch(
		/^DELEGATION APPROVED\n[\s\S]*AGT-002[\s\S]*Module one keeps its interface/,
	);
	expect(told('two')).toBe('module two');
});

test('error recovery: retry from a checkpoint, skip and continue, delegate what is the problem', async () => {
	await using session = await startSession({agents: [agent('references/recovers.sh')]});
	const {project} = session;
	const [blocked] = await Promise.all([
		session.item('blocker', 'AGT-001'),
		session.until('a snapshot', ({state}) => state.agents[0]?.snapshots[0]),
	]);
	await session.answer(blocked, 'retry-from:1');
	await session.answer(await session.item('blocker', 'AGT-001'), 'skip', 'Go on with item 52');
	await session.answer(await session.item('blocker', 'AGT-001'), 'delegate', 'Phase 2');
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	const told = (path: string) => git(project.root, 'show', `main:src/${path}.txt`);
	expect(told('retried')).toMatch(/^ERROR FIXED\n/);
	expect(told('skipped')).toMatch(/^SKIP\n[\s\S]*Go on with item 52/);
	expect(told('partial')).toMatch(/^PARTIAL RESUME\n[\s\S]*AGT-002/);
	expect(told('phase-2')).toBe('by a specialist');
});
