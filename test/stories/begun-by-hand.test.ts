import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {overAcp} from '../helpers/plan-file.ts';
import {configure, makeProject} from '../helpers/project.ts';
import {startSession} from '../helpers/session.ts';

test('an agent goes on from a conversation that a person began, in its own worktree and in a conversation of its own', async () => {
	const project = makeProject();
	const program = overAcp('plays-back.ts', join(project.root, 'src'), 'Take port 4711.', '…');
	await using session = await startSession({agents: [{...program, from: 's-0'}]}, project);
	await session.agent('AGT-001', 'COMPLETE');
	const {tree, conversation} = session.folder.agent('AGT-001');
	const {signal} = await session.event('signal.said', one => one.signal.kind === 'summary');
	expect(signal).toMatchObject({value: `port 4711 in ${tree}`});
	expect(session.events('conversation.opened')).toMatchObject([{conversation: 's-1'}]);
	const text = readFileSync(conversation, 'utf8');
	expect(text).toBe('THE PERSON:\nTake port 4711.\n\nYOU:\n…');
	expect(readFileSync(join(tree, '.delegate/conversation.md'), 'utf8')).toBe(`${text}\n`);
	const complaints = readFileSync(
		`${session.folder.agent('AGT-001').transcript(1)}.err`,
		'utf8',
	).split('\n');
	expect(complaints).toContain(`session/load s-0 ${join(project.root, 'src')}`);
	expect(complaints).toContain(`session/new  ${tree}`);
});

test('one that is not there ends the start with the true cause, and with the ids of those that are in this checkout', async () => {
	const project = makeProject();
	const program = overAcp('plays-back.ts', join(project.root, 'src'), 'Take port 4711.');
	await using session = await startSession({agents: [{...program, from: 's-9'}]}, project);
	const failure = await session.item('failure', 'AGT-001');
	expect(failure.title).toContain('The conversation s-9 can’t be read: Resource not found');
	expect(session.events('effect.failed')).toMatchObject([
		{hint: 'name one that no other program uses, of s-0'},
	]);
});

test('an agent that is stopped while that is read is not started, and what reads it is ended', async () => {
	const project = makeProject();
	const program = overAcp('plays-back.ts', project.root, 'never');
	const other = overAcp('plays-back.ts', project.root);
	await using session = await startSession({agents: [{...program, from: 's-0'}, other]}, project);
	const heard = () => {
		const file = `${session.folder.agent('AGT-001').transcript(1)}.err`;
		return existsSync(file) ? readFileSync(file, 'utf8') : '';
	};
	await expect.poll(heard).toContain('session/load');
	const {code} = await project.run('agent', 'AGT-001', 'stop');
	expect(code).toBe(0);
	await expect.poll(() => session.events('effect.failed'), {timeout: 30_000}).toHaveLength(1);
	await session.agent('AGT-002', 'COMPLETE');
	expect(heard()).not.toContain('session/new');
	expect(session.events('turn.started').map(({agent}) => agent)).toEqual(['AGT-002']);
});

test('the conversations that a person began with an agent here are listed with their titles and times', async () => {
	const project = makeProject();
	const {agent} = overAcp('plays-back.ts', project.root, 'Take port 4711.');
	configure(project, {agents: {mine: agent}});
	const listed = await project.run('agents', 'mine');
	expect(listed).toEqual({code: 0, stdout: 's-0  2026-11-29 10:20  About ports', stderr: ''});
	const {stdout} = await project.run('agents', 'mine', '--json');
	const conversations = [{id: 's-0', title: 'About ports', updatedAt: '2026-11-29T10:20:30Z'}];
	expect(JSON.parse(stdout)).toEqual({conversations});
	expect(await project.run('agents', 'nobody')).toMatchObject({code: 2});
});
