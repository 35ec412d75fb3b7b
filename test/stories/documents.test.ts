import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
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
