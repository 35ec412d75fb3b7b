import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** Approves the result that waits, and waits until the target holds it, so many times by now. */
const approveEarly = async (session: Session, times: number): Promise<string> => {
	await session.answer(await session.item('approval'), 'approve');
	await session.until(`${times} merges`, () =>
		session.events('merge.published').length === times ? true : undefined,
	);
	return git(session.project.root, 'rev-parse', 'main');
};

const filesOf = ({project: {root}}: Session, commit: string): readonly string[] =>
	git(root, 'show', '--format=', '--name-only', commit).split('\n');

test('two works are merged while others go on, who are told and stay where they stand; then the rest is merged', async () => {
	await using session = await startSession({
		resume: 'completed',
		agents: [
			agent('edits.sh', ['src/one.txt', 'one'], {subtask: 'Write one'}),
			agent('asks-once.sh', ['src/two.txt'], {subtask: 'Write two'}),
			agent('edits.sh', ['src/three.txt', 'three'], {subtask: 'Write three', after: ['AGT-001']}),
			agent('edits.sh', ['src/four.txt', 'four'], {subtask: 'Write four', after: ['AGT-002']}),
		],
	});
	const {project, folder} = session;
	const base = git(project.root, 'rev-parse', 'main');
	await session.answer(await session.item('review', 'AGT-001'), 'merge-now');
	const first = await approveEarly(session, 1);
	expect(filesOf(session, first)).toEqual(['src/one.txt']);
	expect(session.state().session?.ended).toBeUndefined();

	// It stands on the first one's work, which is merged by now, and brings its own alone.
	await session.accept('AGT-003');
	const refused = await project.run('sync', 'AGT-002');
	expect([refused.code, refused.stderr]).toEqual([
		1,
		expect.stringContaining('The work of AGT-002 is not accepted yet.'),
	]);
	expect((await project.run('sync', '--all')).code).toBe(0);
	const second = await approveEarly(session, 2);
	expect(filesOf(session, second)).toEqual(['src/three.txt']);
	const status = JSON.parse((await project.run('status', '--json')).stdout);
	expect(status).toMatchObject({
		session: {status: 'ACTIVE'},
		merges: [
			{commit: first, agents: ['AGT-001'], stands: true},
			{commit: second, agents: ['AGT-003'], stands: true},
		],
	});

	await session.answer(await session.item('question', 'AGT-002'), 'jwt');
	await session.accept('AGT-002', 'AGT-004');
	expect(readFileSync(folder.agent('AGT-002').prompt(2), 'utf8')).toContain(
		'Merged meanwhile: AGT-001 (Write one); AGT-003 (Write three).',
	);
	const bases = Object.fromEntries(
		session.events('workspace.prepared').map(prepared => [prepared.agent, prepared.base]),
	);
	expect(bases['AGT-002']).toBe(base);
	expect(git(project.root, 'show', `${second}:src/three.txt`)).toBe('three');
	await session.approve();
	expect(session.events('merge.published').map(({agents}) => agents)).toEqual([
		['AGT-001'],
		['AGT-003'],
		['AGT-002', 'AGT-004'],
	]);
	expect(git(project.root, 'rev-list', '--count', `${base}..main`)).toBe('3');
	const subjects = git(project.root, 'log', '--reverse', '--format=%s', `${base}..main`);
	expect(subjects.split('\n')).toEqual([
		'Play a story (AGT-001)',
		'Play a story (AGT-003)',
		'Play a story (AGT-002, AGT-004)',
	]);
	const report = (await project.run('report')).stdout;
	expect(report.match(/ merged [0-9a-f]{10} /g)).toHaveLength(3);
});

test('each merge is published once, although the supervisor was killed over it, and the others go on', async () => {
	const project = projectAt(makeProject().root, {
		env: {DELEGATE_TUI_FAILPOINT: 'after:merge.intended:1'},
	});
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/one.txt', 'one']), agent('asks-once.sh', ['src/two.txt'])]},
		project,
	);
	await session.answer(await session.item('review', 'AGT-001'), 'merge-now');
	await session.tryAnswer(await session.item('approval'), 'approve');
	await project.run('status');
	await session.event('merge.published');
	await session.answer(await session.item('question', 'AGT-002'), 'jwt');
	await session.accept('AGT-002');
	// The supervisor that took up the session dies the same way.
	await session.tryAnswer(await session.item('approval'), 'approve');
	await project.run('status');
	expect((await session.end()).code).toBe(0);
	expect(session.events('supervisor.started')).toHaveLength(3);
	expect(session.events('merge.published').map(({agents}) => agents)).toEqual([
		['AGT-001'],
		['AGT-002'],
	]);
	expect(git(project.root, 'show', 'main:src/two.txt')).toBe('jwt');
});

test('an early merge is taken back while others work, mended, and merged with the rest', async () => {
	const project = makeProject();
	const sign = join(project.aside, 'sign');
	await using session = await startSession(
		{
			agents: [
				agent('takes-feedback.sh', ['src/one.txt']),
				agent('waits-for.sh', ['src/two.txt', sign]),
			],
		},
		project,
	);
	const {root} = project;
	await session.answer(await session.item('review', 'AGT-001'), 'merge-now');
	const merge = await approveEarly(session, 1);
	expect((await project.run('undo', '--yes')).stdout).toContain('a new commit');
	expect(git(root, 'ls-tree', '--name-only', 'main', 'src/')).toBe('');
	await session.answer(await session.item('review', 'AGT-001'), 'feedback', 'second try');
	await session.event('turn.started', ({agent: id, turn}) => id === 'AGT-001' && turn === 2);
	const again = await project.run('undo', '--yes');
	expect([again.code, again.stderr]).toEqual([
		1,
		expect.stringContaining(`The merge (${merge.slice(0, 10)}) can’t be brought back`),
	]);
	writeFileSync(sign, '');
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	expect(git(root, 'show', 'main:src/one.txt')).toMatch(/second try$/);
	expect(git(root, 'show', 'main:src/two.txt')).toBe('done');
});
