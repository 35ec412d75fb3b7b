import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('what the person took out of the history of the target does not come back with the merge', async () => {
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/one.txt', 'one'])]},
		{'readme.md': 'hello\n', 'secret.txt': 'not for the world\n'},
	);
	const {root} = session.project;
	await session.item('review', 'AGT-001');
	git(root, 'rm', '--quiet', 'secret.txt');
	git(root, 'commit', '--quiet', '--amend', '--message', 'base, without the secret');
	const rewritten = git(root, 'rev-parse', 'HEAD');
	await session.event('target.moved', ({to}) => to === rewritten);
	await session.accept('AGT-001');
	await session.approve();
	expect(git(root, 'rev-parse', 'main^')).toBe(rewritten);
	expect(git(root, 'show', '--format=', '--name-status', 'main')).toBe('A\tsrc/one.txt');
});
