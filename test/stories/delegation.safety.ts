import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('work that an agent wants to delegate is approved, and a new agent does it', async () => {
	await using session = await startSession({agents: [agent('delegates.sh')]});
	const delegation = await session.item('delegation', 'AGT-001');
	expect(delegation.title).toBe('Wants to delegate: Write the second part');
	await session.answer(delegation, 'approve');
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', 'main:src/first.txt')).toBe('first by AGT-001');
	expect(git(root, 'show', 'main:src/second.txt')).toBe('second by AGT-002');
	expect(session.state().agents[1]?.requestedBy).toBe('AGT-001');
});

test('an agent that can’t go on without delegated work waits for it, and builds on it', async () => {
	await using session = await startSession({agents: [agent('waits-for-helper.sh')]});
	await session.answer(await session.item('delegation', 'AGT-001'), 'approve');
	await session.accept('AGT-002');
	await session.accept('AGT-001');
	await session.approve();
	const house = git(session.project.root, 'show', 'main:src/house.txt');
	expect(house).toBe(
		'base by AGT-002\nDELEGATION APPROVED Task: Lay the base New agent: AGT-002 Coordination: The base is one line in src/base.txt',
	);
});

test('a delegation is edited as the subtask of a plan, with every error at its place', async () => {
	await using session = await startSession({agents: [agent('delegates.sh')]});
	const {project} = session;
	const delegation = await session.item('delegation', 'AGT-001');
	const {stdout: draft} = await project.run('answer', delegation.id, 'edit', '--preview');
	expect(draft).toContain('subtask: Write the second part\n');
	const file = join(project.root, 'sub.yaml');
	const edit = async (text: string) => {
		writeFileSync(file, text);
		return project.run('answer', delegation.id, 'edit', '--file', file);
	};

	const wrong = await edit(draft.replace('scope:', 'scopes:'));
	expect(wrong).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/sub\.yaml:2:1: error: .*scope/),
	});
	const waits = await edit(`${draft}\nafter: [AGT-009]\n`);
	expect(waits.stderr).toContain('There is no agent AGT-009.');
	const edited = draft.replace('Write the second part', 'Write the second part, and no more');
	writeFileSync(file, edited);
	const choice = ['answer', delegation.id, 'edit', '--file', file] as const;
	const previewed = await project.run(...choice, '--preview');
	expect(parse(previewed.stdout)).toEqual(parse(edited));
	await edit(edited);
	await session.event('user.decided', ({item}) => item === delegation.id);
	const added = session.state().agents[1]?.subtask;
	expect(added).toMatchObject({id: 'AGT-002', subtask: 'Write the second part, and no more'});
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
});

test('what an agent failed at is given to a new one, which is told why', async () => {
	await using session = await startSession({agents: [agent('fails-once.sh')]});
	const {project} = session;
	const {id} = await session.item('failure', 'AGT-001');
	const {stdout: draft} = await project.run('answer', id, 'redistribute', '--preview');
	const file = join(project.aside, 'sub.yaml');
	writeFileSync(file, draft);
	const given = await project.run('answer', id, 'redistribute', '--file', file);
	expect([given.code, given.stderr]).toEqual([0, expect.not.stringContaining('AGT-001')]);
	await session.accept('AGT-002');
	await session.approve();
	const told = git(project.root, 'show', 'main:src/told.txt');
	expect(told).toContain('AGT-001 was to do this before, and failed: exited with code 3: boom');
});
