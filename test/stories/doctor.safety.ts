import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {clean} from '../../src/cli/doctor/leftovers/clean.ts';
import {findLeftovers} from '../../src/cli/doctor/leftovers/leftovers.ts';
import {readSessions} from '../../src/cli/doctor/sessions/read-sessions.ts';
import {openRepository} from '../../src/git/repository/repository.ts';
import {openStore, refsBelow} from '../../src/git/store/store.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Project, projectAt} from '../helpers/project.ts';
import {git, temporaryFolder} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** What `doctor --json` prints of leftovers. */
type Told = {
	readonly kind: string;
	readonly text: string;
	readonly bytes: number;
	readonly safe: boolean;
	readonly why: string | null;
	readonly removed: boolean;
};

const doctor = async (project: Project, ...words: readonly string[]) => {
	const {code, stdout} = await project.run('doctor', '--json', ...words);
	const {findings, leftovers}: {findings: {check: string; level: string}[]; leftovers: Told[]} =
		JSON.parse(stdout);
	return {code, findings, leftovers};
};

/** A session of two agents that was stopped after both were done. */
const endedSession = async (): Promise<Session> => {
	const session = await startSession({
		agents: [agent('edits.sh', ['src/a.txt', 'one']), agent('edits.sh', ['src/b.txt', 'two'])],
	});
	await session.accept('AGT-001');
	await session.item('review', 'AGT-002');
	git(session.folder.agent('AGT-001').tree, 'commit', '--quiet', '--allow-empty', '-m', 'own');
	await session.project.run('stop');
	await session.end();
	return session;
};

test('the doctor tells what there is, and removes only what is safe', async () => {
	await using session = await endedSession();
	const {project, folder} = session;
	const [first, second] = [folder.agent('AGT-001'), folder.agent('AGT-002')];
	const own = git(first.tree, 'rev-parse', 'HEAD');
	writeFileSync(join(second.tree, 'src/late.txt'), 'nobody has seen this\n');

	const found = await doctor(project);
	expect(found.code).toBe(0);
	expect(found.findings.map(({check}) => check)).toEqual(
		expect.arrayContaining([
			...['git', 'node', 'state', 'disk', 'processes', 'sandbox', 'config', 'editor', 'notifier'],
			...['claude', 'codex', 'gemini', 'opencode', 'repository', 'sessions'],
		]),
	);
	const kept = {kind: 'worktree', safe: false, why: 'it holds work that is in no snapshot'};
	expect(found.leftovers).toMatchObject([{kind: 'worktree', safe: true, removed: false}, kept]);
	expect(found.leftovers[0]?.text).toContain(first.tree);
	expect(found.leftovers[0]?.bytes).toBeGreaterThan(1000);

	const refused = await project.run('doctor', '--clean');
	expect(refused.code).toBe(1);
	expect(refused.stderr).toContain('Nothing was removed');
	expect(existsSync(first.tree)).toBe(true);

	const cleaned = await doctor(project, '--clean', '--yes');
	expect(cleaned.code).toBe(0);
	expect(cleaned.leftovers).toMatchObject([
		{safe: true, removed: true},
		{...kept, removed: false},
	]);
	expect([existsSync(first.tree), existsSync(first.hub)]).toEqual([false, false]);
	expect(existsSync(join(second.tree, 'src/late.txt'))).toBe(true);

	const store = await storeOf(project);
	const pinned = await refsBelow(store, `refs/delegate/${session.id}/AGT-001/own`);
	expect([...pinned.values()]).toContain(own);
	expect((await doctor(project)).leftovers).toMatchObject([kept]);
});

const storeOf = async (project: Project) => {
	const repository = await openRepository(project.root);
	return openStore(repositoryFolder(project.state, repository.id).store, repository);
};

test('snapshots go thirty days after the end, and never before the worktree they vouch for', async () => {
	await using session = await endedSession();
	const {project, folder} = session;
	const repository = await openRepository(project.root);
	const home = repositoryFolder(project.state, repository.id);
	const store = await storeOf(project);
	const attic = {here: {repository, folder: home}, store, sessions: await readSessions(home)};
	const ended = Date.parse(session.events('session.ended')[0]?.at ?? '');
	const after = async (days: number) => {
		const there = {...attic, now: new Date(ended + days * 86_400_000)};
		return {there, found: await findLeftovers(there)};
	};

	expect((await after(29)).found.map(({kind}) => kind)).toEqual(['worktree', 'worktree']);
	const {there, found} = await after(30);
	expect(found.map(({kind}) => kind)).toEqual(['worktree', 'worktree', 'snapshots']);
	writeFileSync(join(folder.agent('AGT-002').tree, 'src/late.txt'), 'nobody has seen this\n');
	const cleaned = await clean(there, found);
	expect(cleaned.map(({failed}) => failed)).toEqual([
		undefined,
		expect.stringContaining('in no snapshot'),
		expect.stringContaining('are kept'),
	]);
	expect((await refsBelow(store, `refs/delegate/${session.id}`)).size).toBeGreaterThan(0);

	git(folder.agent('AGT-002').tree, 'clean', '--quiet', '--force', 'src/late.txt');
	const again = await after(30);
	expect((await clean(again.there, again.found)).map(({failed}) => failed)).toEqual([
		undefined,
		undefined,
	]);
	expect((await refsBelow(store, `refs/delegate/${session.id}`)).size).toBe(0);
});

test('outside of a repository the doctor says what it can', async () => {
	makeProject();
	const project = projectAt(temporaryFolder());
	const {code, stdout} = await project.run('doctor');
	expect(code).toBe(0);
	expect(stdout).toMatch(/✓ git .*git 2\./);
	expect(stdout).toContain('this is not a git repository');
});
