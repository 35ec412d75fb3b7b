import {chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Project, projectAt} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

const plan = {agents: [agent('edits.sh', ['src/one.txt', 'one'])]};

/** A project with a bare remote that is at its first commit. */
const makeTeam = (): Project & {readonly remote: string} => {
	const project = makeProject();
	const remote = join(project.aside, 'team.git');
	git(project.aside, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
	git(project.root, 'remote', 'add', 'origin', remote);
	git(project.root, 'push', '--quiet', 'origin', 'main');
	git(project.root, 'remote', 'set-head', 'origin', 'main');
	return {...project, remote};
};

/** Merges the work of an agent, and waits until its session is over. */
const merged = async (project: Project) => {
	const session = await startSession(plan, project);
	await session.accept('AGT-001');
	await session.approve();
	await session.gone();
	return session;
};

const tipOf = (folder: string, branch = 'main'): string => git(folder, 'rev-parse', branch);

test('nothing is pushed before a person says so, then by their own git, and undo says that it stays there', async () => {
	const project = makeTeam();
	const {root, remote} = project;
	expect((await project.run('publish', '--yes')).stderr).toContain('There is no merge to publish.');
	const before = tipOf(remote);
	const session = await merged(project);

	const shown = await project.run('publish');
	expect(shown).toMatchObject({code: 1, stderr: ''});
	expect(shown.stdout).toContain(`One commit goes to ${remote}, by your own git:`);
	expect(shown.stdout).toContain('\n  git push origin main\n');
	expect(shown.stdout).toContain('Nothing was done. To do it, add --yes.');
	expect(tipOf(remote)).toBe(before);

	expect(await project.run('publish', '--yes')).toMatchObject({code: 0});
	expect(tipOf(remote)).toBe(tipOf(root));
	const log = await project.run('log', session.id);
	expect(log.stdout).toContain('you begin to push to origin/main by `git push origin main`');
	expect(log.stdout).toContain('you pushed to origin/main');
	const events = (await project.run('log', session.id, '--json')).stdout;
	expect(events).toMatch(/"kind":"push.changed".*"to":"begun".*"asker":/);

	const undone = await project.run('undo', '--yes');
	expect(undone.stdout).toContain(
		'It was pushed (origin/main), and stays there until you push again.',
	);
	expect(git(root, 'log', '-1', '--format=%s')).toMatch(/^Revert /);
	expect(tipOf(remote)).not.toBe(tipOf(root));
});

test('on the screen it is a key after the merge, with the same words, and a refusal stays to be read', async () => {
	const project = makeTeam();
	const {remote, root} = project;
	const session = await startSession(plan, project);
	await session.accept('AGT-001');
	await session.item('approval');
	using screen = openProgram(project, [], {columns: 100});
	await screen.until('⏎ a-1');
	await session.approve();
	await screen.until('P publish');
	await screen.typeUntil('P', `One commit goes to ${remote}, by your own git:`);
	expect(screen.text()).toMatch(/^ ?git push origin main$/m);
	await screen.typeUntil('n', rows => !rows.join('\n').includes('Push it?'));
	expect(tipOf(remote)).not.toBe(tipOf(root));

	writeFileSync(join(remote, 'hooks/pre-receive'), '#!/bin/sh\necho closed\nexit 1\n', {
		mode: 0o755,
	});
	await screen.typeUntil('P', 'Push it?');
	await screen.typeUntil('y', /remote: closed[\s\S]*Enter goes back to the screen\./);
	await screen.typeUntil(keys.enter, 'git push ended with 1; nothing else was done.');
	rmSync(join(remote, 'hooks/pre-receive'));
	await screen.typeUntil('P', 'Push it?');
	await screen.typeUntil('y', 'Pushed to origin/main.');
	expect(tipOf(remote)).toBe(tipOf(root));
	const events = (await project.run('log', session.id, '--json')).stdout;
	expect(events).toMatch(/"kind":"push.changed".*"to":"done".*"asker":/);
	await screen.typeUntil('U', 'It was pushed (origin/main), and stays there');
});

test('what the other side refuses is told, and is in the journal', async () => {
	const project = makeTeam();
	const {id} = await merged(project);
	writeFileSync(join(project.remote, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n', {mode: 0o755});
	const {code, stderr} = await project.run('publish', '--yes');
	expect(code).toBe(1);
	expect(stderr).toContain('git push ended with 1; nothing else was done.');
	expect((await project.run('log', id)).stdout).toContain('you could not push to origin/main');
});

test('a pull request says what the report does', async () => {
	const made = makeTeam();
	await merged(made);
	const programs = join(made.aside, 'programs');
	mkdirSync(programs);
	const said = join(made.aside, 'said');
	writeFileSync(join(programs, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" >'${said}'\n`);
	chmodSync(join(programs, 'gh'), 0o755);
	const env = {PATH: `${programs}:${made.environment.PATH}`};
	const project = {...projectAt(made.root, {aside: made.aside, env}), remote: made.remote};
	const onto = await project.run('publish', '--pull-request', '--yes');
	expect(onto.stderr).toContain('A pull request leads from another branch into main.');

	const words = ['publish', '--pull-request', '--as', 'story'];
	expect((await project.run(...words)).stdout).toContain('  gh pr create --base main --head story');
	expect(await project.run(...words, '--yes')).toMatchObject({code: 0});
	expect(tipOf(project.remote, 'story')).toBe(tipOf(project.root));
	const [body = ''] = readFileSync(said, 'utf8').trimEnd().split('\n').slice(-1);
	expect(readFileSync(body, 'utf8')).toContain('# Play a story');
});
