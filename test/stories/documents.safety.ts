import {lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {git, temporaryFolder} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('the documents in the checkout tell of the session, and are neither merged nor in the way', async () => {
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/one.txt', 'one'])]},
		{'.delegate-tui.yaml': 'docs: true\n', 'docs/01_progress.md': '# Progress\n\nOlder words.\n'},
	);
	const {root} = session.project;
	const document = (path: string) => readFileSync(join(root, 'docs', path), 'utf8');
	await session.accept('AGT-001');
	const {code} = await session.approve();
	expect(code).toBe(0);
	await session.gone();

	const [published] = session.events('merge.published');
	expect(document('01_progress.md')).toMatch(
		new RegExp(`^# Progress\n\nOlder words\\.\n[^]*${session.id}[^]*${published?.commit}`),
	);
	expect(document('logs/delegation_registry.md')).toContain(`### Session ${session.id}`);
	expect(document('logs/session_context.md')).toContain(
		`${session.id} merged ${published?.commit}`,
	);
	expect(git(root, 'show', '--format=', '--name-only', 'main')).toBe('src/one.txt');
});

test('a document that would be written outside of the repository is told once, and the session goes on', async () => {
	const project = makeProject({'.delegate-tui.yaml': 'docs: true\n'});
	const outside = temporaryFolder();
	mkdirSync(join(project.root, 'docs'));
	symlinkSync(outside, join(project.root, 'docs/logs'));
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/one.txt', 'one'])]},
		project,
	);
	await session.item('review', 'AGT-001');
	await session.event('machine.documents');
	const {stdout} = await project.run('status', '--json');
	const told = /^docs\/logs\/.* is not written: a link leads out of your repository/;
	expect(JSON.parse(stdout).notices).toEqual([
		{level: 'warn', text: expect.stringMatching(told)},
		{level: 'warn', text: expect.stringMatching(told)},
	]);
	await session.accept('AGT-001');
	expect((await session.approve()).code).toBe(0);
	await session.gone();

	const changes = session.events('machine.documents');
	expect(changes).toHaveLength(1);
	expect(readdirSync(outside)).toEqual([]);
	expect(lstatSync(join(project.root, 'docs/logs')).isSymbolicLink()).toBe(true);
	expect(readFileSync(join(project.root, 'docs/01_progress.md'), 'utf8')).toContain(session.id);
});
