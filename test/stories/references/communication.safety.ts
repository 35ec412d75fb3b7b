import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {makeProject} from '../../helpers/project.ts';
import {git, write} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';

test('agents are done by the standard response and by JSON output, and errors alone complete nothing', async () => {
	const forms = ['standard', 'json', 'error'];
	await using session = await startSession({
		agents: forms.map(form => agent('references/responds.sh', [form])),
	});
	const {project} = session;
	await session.item('review', 'AGT-001');
	await session.item('review', 'AGT-002');
	const {stdout: shown} = await project.run('inbox');
	expect(shown).toContain('Ended: reported completion by STATUS: complete\n');
	expect(shown).toContain('Summary: Analyzed 12 existing patterns, recommending JWT');
	expect(shown).toContain('Ended: reported completion by a JSON result\n');
	expect(shown).toContain('Authentication Patterns · complete · src/report1.md');
	const claims = session.state().agents.map(({snapshots}) => snapshots.at(-1)?.claims);
	expect(claims[0]).toMatchObject([{holds: true}]);
	expect(claims[1]).toEqual([
		{claim: 'src/report1.md', holds: true},
		{claim: 'src/report2.md', holds: false, found: 'missing'},
	]);

	const failure = await session.item('failure', 'AGT-003');
	expect(failure.title).toContain('ended without a completion report');
	const reminders = session.events('turn.started').filter(({prompt}) => prompt === 'reminder');
	expect(reminders.map(({agent}) => agent)).toEqual(['AGT-003']);
	const [met] = session.state().agents[2]?.updates.errors ?? [];
	expect(met).toMatchObject({
		category: 'FILE_NOT_FOUND',
		description: 'Cannot read input plan at /path/to/plan.md',
		context: 'Phase 2 of implementation workflow',
		recovery: 'Verify plan exists and path is correct',
	});
	const categories = session.state().agents[2]?.updates.errors.map(({category}) => category);
	expect(new Set(categories)).toEqual(
		new Set(['FILE_NOT_FOUND', 'PARSE_ERROR', 'NETWORK_ERROR', 'VALIDATION', 'TIMEOUT']),
	);

	await session.answer(failure, 'abandon');
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	expect(git(project.root, 'show', 'main:src/001_patterns.md')).toBe('JWT with refresh tokens');
});

test('an agent finds its behavior file and its inputs although nobody committed them, and they stay as they were', async () => {
	const behavior = '.claude/agents/untracked.md';
	const read = [behavior, 'notes.md', 'private/keys.md'];
	const project = makeProject({'readme.md': 'hello\n', '.gitignore': 'private\n'});
	write(project.root, {
		...{[behavior]: 'be brief\n', 'notes.md': 'mind the clock\n', 'private/keys.md': 'k\n'},
	});
	await using session = await startSession(
		{
			agents: [
				agent('references/reads.sh', read, {
					...{behavior, inputs: ['notes.md', 'private'], scope: {allowed: ['**']}},
				}),
			],
		},
		project,
	);
	await session.item('review', 'AGT-001');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(project.root, 'show', 'main:src/read.txt')).toBe('be brief mind the clock k');
	expect(git(project.root, 'ls-tree', '-r', '--name-only', 'main')).not.toMatch(
		/notes|private|claude/,
	);
	expect(readFileSync(join(project.root, 'notes.md'), 'utf8')).toBe('mind the clock\n');
});
