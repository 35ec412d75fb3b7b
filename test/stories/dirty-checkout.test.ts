import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {busyFiles, makeBusy, withoutBase, withoutPublished} from '../helpers/busy-checkout.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Project} from '../helpers/project.ts';
import {filesBelow, git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const makeBusyProject = (): Project => {
	const project = makeProject({...busyFiles, 'src/shared.txt': 'base\n'});
	makeBusy(project.root);
	return project;
};

test('whatever a checkout holds stays byte-identical until the merge, and after it differs only by it', async () => {
	const project = makeBusyProject();
	const {root} = project;
	const before = withoutBase(root);
	const staged = git(root, 'diff', '--cached');
	await using session = await startSession(
		{
			agents: [agent('edits.sh', ['src/shared.txt', 'merged', 'src/new.txt', 'new'])],
			verify: ['echo spoiled > .env', 'rm -f edited.txt'],
		},
		project,
	);
	await session.accept('AGT-001');
	await session.item('approval');
	expect(withoutBase(root)).toEqual(before);

	await session.approve();
	const after = withoutBase(root);
	const expected = {...before.files};
	const merged = filesBelow(root, 'src');
	expect(Object.keys(merged)).toEqual(['src/new.txt', 'src/shared.txt']);
	expect(after.files).toEqual({...expected, ...merged});
	expect(git(root, 'show', 'main:src/shared.txt')).toBe('merged');
	expect(after.stash).toBe(before.stash);
	expect(after.head).toBe(before.head);
	expect(git(root, 'diff', '--cached')).toBe(staged);
	expect(withoutPublished(after.gitFiles)).toEqual(withoutPublished(before.gitFiles));
});

test('a file in the way of the merge is refused by its true cause, and after it is moved away the merge goes on', async () => {
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/shared.txt', 'merged', 'src/new.txt', 'new'])]},
		{'src/shared.txt': 'base\n'},
	);
	const {root} = session.project;
	await session.accept('AGT-001');
	const first = await session.item('approval');
	write(root, {'src/shared.txt': 'my edit\n', 'src/new.txt': 'mine\n'});
	const before = withoutBase(root);
	const message = `${root} has uncommitted changes in one file that the merge changes, too: src/shared.txt`;
	const answered = await session.project.run('answer', first.id, 'approve');
	expect(answered).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(`^${message}\nHint: `),
	});
	expect(await session.event('merge.refused')).toMatchObject({cause: 'dirty-checkout', message});
	expect(withoutBase(root)).toEqual(before);

	git(root, 'checkout', '--quiet', 'src/shared.txt');
	const second = await session.item('approval');
	expect(second.title).toContain('The last try was refused');
	const {outcome} = await session.answer(second, 'approve');
	expect(outcome).toMatchObject({kind: 'refused', message: expect.stringMatching(/new\.txt$/)});
	const untracked = await session.event('merge.refused', ({cause}) => cause === 'untracked-files');
	expect(untracked.message).toMatch(/: src\/new\.txt$/);

	rmSync(join(root, 'src/new.txt'));
	const {id} = await session.item('approval');
	const {code, stdout} = await session.project.run('answer', id, 'approve');
	expect(code).toBe(0);
	expect(stdout).toContain(`merged ${git(root, 'rev-parse', 'main')} into main`);
	expect((await session.end()).code).toBe(0);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'show', 'main:src/new.txt')).toBe('new');
});
