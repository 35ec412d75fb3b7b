import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openWeb} from '../helpers/open-web.ts';
import {agent, type PlannedAgent} from '../helpers/plan-file.ts';
import {makeProject, type Project} from '../helpers/project.ts';
import {git, script} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {openProgram} from '../helpers/terminal.ts';

/** A program that an agent wants to have run by the person's git: it leaves a file when it is. */
const makeCanary = ({root, aside}: Project) => {
	const [program, trace] = [join(aside, 'canary'), join(aside, 'sung')];
	script(program, `: > ${trace}\nexec cat`);
	const commands = [
		`git -C ${root} config filter.x.clean ${program}`,
		`git -C ${root} config filter.x.smudge ${program}`,
		`echo '* filter=x' > ${join(root, '.git/info/attributes')}`,
	].join('\n');
	return {commands, sang: () => existsSync(trace)};
};

/** An agent that does something else before its work. */
const planting = ({aside}: Project, commands: string): PlannedAgent => {
	const program = join(aside, 'agent.sh');
	const work = agent('edits.sh', ['src/one.txt', 'merged']);
	const words = 'command' in work.agent ? work.agent.command : [];
	script(program, `${commands}\nexec ${words.join(' ')}`);
	return {...work, agent: {protocol: 'text', command: [program]}};
};

const planted = /\.git\/config and \.git\/info\/attributes have changed/;

test('a filter that an agent sets up in the person’s repository is told before it runs, and at the approval', async () => {
	const project = makeProject();
	const canary = makeCanary(project);
	await using session = await startSession({agents: [planting(project, canary.commands)]}, project);
	await session.accept('AGT-001');
	const held = await session.item('verify');
	expect(held.title).toMatch(planted);
	expect((await project.run('inbox')).stdout).toMatch(planted);
	expect(canary.sang()).toBe(false);
	await session.answer(held, 'retry');
	expect(await session.item('approval')).toMatchObject({
		notes: expect.arrayContaining([expect.stringMatching(planted)]),
	});
	expect(canary.sang()).toBe(true);
	const {code} = await session.approve();
	expect(code).toBe(0);
});

test('what is changed after a person was asked lets nothing merge until they have seen it', async () => {
	const project = makeProject();
	const {root} = project;
	const canary = makeCanary(project);
	await using session = await startSession({agents: [planting(project, ':')]}, project);
	const before = git(root, 'rev-parse', 'main');
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	expect(approval).not.toHaveProperty('notes');

	script(join(root, '.git/hooks/post-merge'), 'exit 0');
	await session.answer(approval, 'approve');
	expect(await session.event('merge.refused')).toMatchObject({cause: 'settings-changed'});
	const again = await session.item('approval');
	expect(again.notes).toEqual([
		'Since the session began, .git/hooks/post-merge has changed; your git follows it from now on.',
	]);

	script(join(project.aside, 'plant'), canary.commands);
	execFileSync(join(project.aside, 'plant'));
	await session.answer(again, 'approve');
	const held = await session.item('verify');
	expect(held.title).toContain('.git/info/attributes');
	expect(canary.sang()).toBe(false);
	expect(git(root, 'rev-parse', 'main')).toBe(before);
	await session.answer(held, 'retry');
	const {code} = await session.approve();
	expect(code).toBe(0);
	expect(session.events('merge.refused')).toHaveLength(2);

	writeFileSync(join(root, '.git/hooks/post-merge'), '');
	const undone = await project.run('undo', '--yes');
	expect(undone.stdout).toMatch(
		/Worth a look: Since the session began, filter\.\S+ in \.git\/config, .*\.git\/hooks\/post-merge/,
	);
	expect(undone.code).toBe(0);
	expect(git(root, 'rev-parse', 'main')).toBe(before);
});

test('a remote that an agent redirects is named at the approval, and what a person does every day voids none', async () => {
	const project = makeProject();
	const {root} = project;
	const redirect = [
		`git -C ${root} config remote.origin.fetch '+refs/*:refs/*'`,
		`git -C ${root} config fetch.prune true`,
	].join('\n');
	await using session = await startSession({agents: [planting(project, redirect)]}, project);
	await session.accept('AGT-001');
	expect(await session.item('approval')).toMatchObject({
		notes: [
			expect.stringContaining(
				'fetch.prune in .git/config and remote.origin.fetch in .git/config have changed',
			),
		],
	});
	git(root, 'branch', '--no-track', 'topic');
	git(root, 'gc', '--quiet');
	const {code} = await session.approve();
	expect(code).toBe(0);
	expect(session.events('merge.refused')).toEqual([]);
});

test('settings are named wherever they are told, and nothing that is secret in them is told or kept', async () => {
	const project = makeProject();
	const {root, aside} = project;
	const secret = 'Pa55-w0rd';
	git(root, 'config', 'http.proxy', `http://me:${secret}-old@proxy.example`);
	git(root, 'config', 'user.signingKey', `${secret}-gone`);
	const settings = [
		['http.proxy', `http://me:${secret}@proxy.example`],
		['http.https://host.example/.extraHeader', `Authorization: ${secret}`],
		['credential.helper', `!echo password=${secret}`],
		[`url.https://me:${secret}@host.example/.insteadOf`, 'https://host.example/'],
	];
	const lines = settings.map(words => `git -C ${root} config '${words.join("' '")}'`);
	const commands = [...lines, `git -C ${root} config --unset user.signingKey`].join('\n');
	await using session = await startSession({agents: [planting(project, commands)]}, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	const named = [
		'credential.helper in .git/config',
		'http.https://host.example/.extraheader in .git/config',
		'http.proxy in .git/config',
		'url.https://…@host.example/.insteadof in .git/config',
		'user.signingkey (removed) in .git/config',
	];
	using screen = openProgram(project, [], {columns: 400, rows: 60});
	await screen.until(approval.title);
	await screen.typeUntil('\r', named[0] ?? '');
	const web = await openWeb(project);
	const told = {
		notes: approval.notes?.join('\n') ?? '',
		screen: screen.text(),
		page: await web.until(named[0] ?? ''),
		inbox: (await project.run('inbox')).stdout,
		json: (await project.run('inbox', '--json')).stdout,
	};
	web.process.kill();
	for (const [where, text] of Object.entries(told)) {
		expect([where, named.filter(name => !text.includes(name))]).toEqual([where, []]);
	}

	expect((await session.approve()).code).toBe(0);
	const later = await Promise.all(
		[['report'], ['report', '--html'], ['report', '--json'], ['log'], ['undo', '--json']].map(
			words => project.run(...words),
		),
	);
	expect(JSON.stringify([told, later])).not.toContain(secret);
	const kept = readdirSync(project.state, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(({parentPath, name}) => join(parentPath, name))
		.filter(path => readFileSync(path, 'latin1').includes(secret));
	expect([aside, kept]).toEqual([aside, []]);
});
