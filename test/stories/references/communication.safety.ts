import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {git} from '../../helpers/repository.ts';
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
