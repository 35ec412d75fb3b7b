import {once} from 'node:events';
import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openWeb} from '../helpers/open-web.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a question is answered in the browser, on a page that was there before the session', async () => {
	const project = makeProject();
	const web = await openWeb(project);
	await web.until('No session in this repository yet.');
	await using session = await startSession(
		{agents: [agent('asks-once.sh', ['src/auth.txt'])]},
		project,
	);
	await web.until('Which auth method?');
	const {id} = await session.item('question', 'AGT-001');
	await session.agent('AGT-001', 'CHECKPOINT');
	await session.killSupervisor();

	const form = {session: session.id, item: id, [`option:${id}`]: '1'};
	expect(await web.post(form)).toEqual({outcomes: [{item: id, ok: true, text: `${id}: jwt`}]});
	await web.until('Answered &quot;jwt&quot; from the browser.');
	expect(await web.post(form)).toMatchObject({
		outcomes: [{ok: false, text: `${id} no longer waits. Answered "jwt" from the browser.`}],
	});
	expect(await session.event('user.decided', ({item}) => item === id)).toMatchObject({by: 'web'});
	expect((await project.run('log', '--questions')).stdout).toContain('from the browser');

	await session.accept('AGT-001');
	await session.approve();
	expect(git(project.root, 'show', 'main:src/auth.txt')).toBe('jwt');
	await web.until('The session has ended:');
	web.process.kill('SIGINT');
	expect(await once(web.process, 'exit')).toEqual([0, null]);

	await session.gone();
	const token = new URL(web.link).pathname.slice(1, -1);
	const files = globSync('**/*', {cwd: project.state, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(({parentPath, name}) => readFileSync(`${parentPath}/${name}`, 'latin1'));
	expect(files.length).toBeGreaterThan(10);
	expect(files.filter(text => text.includes(token))).toEqual([]);
});

test('an agent can’t have the page served to itself', async () => {
	const {root} = makeProject();
	const {code, stderr} = await projectAt(root, {env: {DELEGATE_SESSION: 'DEL-1'}}).run('web');
	expect([code, stderr]).toEqual([1, expect.stringContaining('This is for people')]);
});
