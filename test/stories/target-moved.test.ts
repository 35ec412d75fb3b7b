import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {commitAll, git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a target that the person moved is built on again, and an approval of the old result is refused', async () => {
	await using session = await startSession({agents: [agent('edits.sh', ['src/one.txt', 'one'])]});
	const {root} = session.project;
	await session.accept('AGT-001');
	const stale = await session.item('approval');
	write(root, {'mine.txt': 'my own work\n'});
	const moved = commitAll(root, 'my own commit');
	expect((await session.tryAnswer(stale, 'approve')).code).toBe(1);
	expect(git(root, 'rev-parse', 'main')).toBe(moved);

	await session.event('merge.built', ({tip}) => tip === moved);
	const {moved: told, notes} = await session.item('approval');
	expect(told).toMatchObject({
		rewritten: false,
		commits: [{commit: moved, subject: 'my own commit'}],
		more: 0,
	});
	expect(notes).toContainEqual(
		expect.stringMatching(/^main has moved since the session began, by 1 commit .*my own commit$/),
	);
	const {code} = await session.approve();
	expect(code).toBe(0);
	expect(git(root, 'rev-parse', 'main^')).toBe(moved);
	expect(git(root, 'ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual(
		expect.arrayContaining(['mine.txt', 'src/one.txt']),
	);
});
