import {mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
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

/** Adds a hook that says no; no git needs the folder of hooks. */
const hook = (gitDir: string, name: string, more = ''): void => {
	mkdirSync(join(gitDir, 'hooks'), {recursive: true});
	writeFileSync(join(gitDir, 'hooks', name), `#!/bin/sh\n${more}\nexit 1\n`, {mode: 0o755});
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
	expect(shown.stdout).toContain('\n  git push --porcelain origin main\n');
	expect(shown.stdout).toContain('Nothing was done. To do it, add --yes.');
	expect(tipOf(remote)).toBe(before);

	using screen = openProgram(project);
	await screen.until('delegate-tui publish pushes its merge, delegate-tui undo takes it back.');
	expect(await project.run('publish', '--yes')).toMatchObject({code: 0});
	expect(tipOf(remote)).toBe(tipOf(root));
	using later = openProgram(project);
	await later.until('Its merge was pushed to origin/main; delegate-tui undo takes it back.');
	const log = await project.run('log', session.id);
	expect(log.stdout).toContain(
		'you begin to push to origin/main by `git push --porcelain origin main`',
	);
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
	expect(screen.text()).toMatch(/^ ?git push --porcelain origin main$/m);
	await screen.typeUntil(`${keys.left}n`, rows => !rows.join('\n').includes('Push it?'));
	expect(tipOf(remote)).not.toBe(tipOf(root));

	hook(remote, 'pre-receive', 'echo closed');
	await screen.typeUntil('P', 'Push it?');
	await screen.typeUntil(`${keys.left}y`, /remote: closed[\s\S]*Enter goes back to the screen\./);
	await screen.typeUntil(keys.enter, 'The other side refused main: pre-receive hook declined.');
	rmSync(join(remote, 'hooks/pre-receive'));
	await screen.typeUntil('P', 'Push it?');
	await screen.typeUntil(`${keys.left}y`, 'Pushed to origin/main.');
	expect(tipOf(remote)).toBe(tipOf(root));
	const events = (await project.run('log', session.id, '--json')).stdout;
	expect(events).toMatch(/"kind":"push.changed".*"to":"done".*"asker":/);
	await screen.typeUntil('U', 'It was pushed (origin/main), and stays there');
});

test('why a push failed is told in a sentence, with what helps, and that it failed is in the journal', async () => {
	const project = makeTeam();
	const {root, remote} = project;
	const {id} = await merged(project);
	const refused = async (): Promise<string> => {
		const {code, stderr} = await project.run('publish', '--yes');
		expect(code).toBe(1);
		return stderr;
	};

	hook(remote, 'pre-receive');
	expect(await refused()).toContain('The other side refused main: pre-receive hook declined.');
	expect((await project.run('log', id)).stdout).toContain('you could not push to origin/main');
	rmSync(join(remote, 'hooks/pre-receive'));

	hook(join(root, '.git'), 'pre-push');
	expect(await refused()).toMatch(/ended before it sent anything\.[\s\S]*pre-push hook/);

	// One that lets everything pass has stopped nothing.
	writeFileSync(join(root, '.git/hooks/pre-push'), '#!/bin/sh\n', {mode: 0o755});
	const other = join(project.aside, 'other');
	git(project.aside, 'clone', '--quiet', remote, other);
	git(other, 'commit', '--quiet', '--allow-empty', '--message', 'Meanwhile');
	git(other, 'push', '--quiet', 'origin', 'main');
	expect(await refused()).toMatch(
		/origin\/main has commits that your main lacks[\s\S]*git pull --no-rebase origin main/,
	);

	renameSync(remote, `${remote}.gone`);
	expect(await refused()).toMatch(/git could not reach .*team\.git[\s\S]*git ls-remote origin/);
	expect(tipOf(`${remote}.gone`)).not.toBe(tipOf(root));
});

/** Adds a `gh` that writes down what it is told, and ends as it is told. */
const withGh = ({root, aside, environment, remote}: Project & {remote: string}, ending = '') => {
	const programs = join(aside, 'programs');
	mkdirSync(programs, {recursive: true});
	const said = join(aside, 'said');
	const lines = ['#!/bin/sh', `printf '%s\\n' "$@" >'${said}'`, ending, ''];
	writeFileSync(join(programs, 'gh'), lines.join('\n'), {mode: 0o755});
	const env = {PATH: `${programs}:${environment.PATH}`};
	return {...projectAt(root, {aside, env}), remote, said};
};

test('a pull request says what the report does, from a branch of its own where none is named', async () => {
	const made = makeTeam();
	await merged(made);
	const project = withGh(made);
	const onto = await project.run('publish', '--pull-request', '--as', 'main', '--yes');
	expect(onto.stderr).toContain('A pull request needs another branch than main.');
	const {stdout} = await project.run('publish', '--pull-request');
	const own = `delegate/play-a-story-${tipOf(project.root).slice(0, 10)}`;
	expect(stdout).toContain(
		`git push --porcelain origin main:${own}\n  gh pr create --base main --head ${own}`,
	);
	const [, body = ''] = /text of the pull request is in (.*);/.exec(stdout) ?? [];
	const changed = readFileSync(body, 'utf8').replace('# Play a story', '# In my words');
	writeFileSync(body, changed);

	const words = ['publish', '--pull-request', '--as', 'story'];
	expect(await project.run(...words, '--yes')).toMatchObject({code: 0});
	expect(tipOf(project.remote, 'story')).toBe(tipOf(project.root));
	expect(readFileSync(project.said, 'utf8')).toContain(body);
	expect(readFileSync(body, 'utf8')).toBe(changed);
	expect(changed).toMatch(/^# In my words/);

	const loggedOut = withGh(made, 'exit 4');
	expect((await loggedOut.run(...words, '--yes')).stderr).toMatch(
		/gh opened no pull request, since it is not logged in[\s\S]*gh auth login; then gh pr create --base main --head story/,
	);
});

test('on the screen a pull request is one key more, with the same words', async () => {
	const made = makeTeam();
	const session = await startSession(plan, made);
	await session.accept('AGT-001');
	await session.item('approval');
	const project = withGh(made);
	using screen = openProgram(project, [], {columns: 120});
	await screen.until('⏎ a-1');
	await session.approve();
	await screen.until('P publish');
	await screen.typeUntil('P', 'r open a pull request');
	await screen.typeUntil(`${keys.left}r`, 'Push it, and open the pull request?');
	expect(screen.text()).toContain('gh pr create --base main --head delegate/play-a-story');
	expect(screen.text()).toMatch(/change\s+it\s+there\s+first\s+if\s+you\s+like/);
	expect(tipOf(made.remote)).not.toBe(tipOf(made.root));
	const own = `delegate/play-a-story-${tipOf(made.root).slice(0, 10)}`;
	await screen.typeUntil(`${keys.left}y`, `Pushed to origin/${own}, and opened a pull request.`);
	expect(tipOf(made.remote, own)).toBe(tipOf(made.root));
	expect(readFileSync(project.said, 'utf8')).toMatch(/^pr\ncreate\n--base\nmain\n/);
});
