import {describe, expect, test} from 'vitest';
import {makeDeadlyProject, twoFiles} from '../helpers/deadly-project.ts';
import {pictureOf} from '../helpers/kill-points.ts';
import {git, write} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** A session whose publication was killed with its supervisor after something else had happened; the next one asks about it again. */
const killed = async (meanwhile: string) => {
	const {project, root, arm} = makeDeadlyProject(meanwhile);
	write(root, {'src/untracked.txt': 'mine\n'});
	const session = await startSession({agents: [twoFiles]}, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	const before = pictureOf(root);
	arm();
	await session.tryAnswer(approval, 'approve');
	await project.run('status');
	await session.event('merge.refused');
	return {session, project, root, before, approval: await session.item('approval')};
};

const touch = 'echo my own > src/one.txt';

/** Half of the files were written, one of which the person changed; they put that right. */
const touched = async () => {
	const parts = await killed(touch);
	write(parts.root, {'src/one.txt': 'base\n'});
	return parts;
};

/** Only the branch was left to move, when the person changed a file; they put that right. */
const staged = async () => {
	const parts = await killed(`
unset $(git rev-parse --local-env-vars)
rm .git/index.lock
git reset --quiet --hard
git read-tree -m -u main $(ps -o args= -p $PPID | sed 's/.* //')
${touch}`);
	const {root} = parts;
	git(root, 'checkout', '--', 'src/one.txt');
	expect(git(root, 'diff', '--cached', '--name-only')).toBe('src/one.txt\nsrc/two.txt');
	return parts;
};

const cleared = (session: Session) => session.event('machine.interrupted');

describe.each([
	['half of the files', touched],
	['the index', staged],
])('a publication that was killed after it had written %s', (_, make) => {
	test('leaves the checkout as it was when the person then rejects the result', async () => {
		const {session, root, before, approval} = await make();
		await using _running = session;
		await session.answer(approval, 'reject');
		expect(await cleared(session)).toMatchObject({left: null});
		expect(pictureOf(root)).toBe(before);
		expect(await session.item('review')).toMatchObject({agent: 'AGT-001'});
	});

	test('leaves the checkout as it was when the person then stops the session', async () => {
		const {session, project, root, before} = await make();
		await using _running = session;
		const {code, stdout} = await project.run('stop');
		expect([code, stdout]).toEqual([0, expect.not.stringContaining('cut off')]);
		expect(pictureOf(root)).toBe(before);
	});
});

test('what can’t be told from the person’s own is told at stop, and taken back by the next command once it can', async () => {
	const {session, project, root, before} = await killed(touch);
	await using _running = session;
	const found = pictureOf(root);
	const {code, stdout} = await project.run('stop');
	expect([code, stdout]).toEqual([
		0,
		expect.stringMatching(/still in your checkout\. .*: src\/one\.txt/),
	]);
	expect(pictureOf(root)).toBe(found);
	expect((await project.run('status')).stdout).toMatch(
		/still in your checkout\. .*: src\/one\.txt/,
	);
	expect((await project.run('doctor')).stdout).toContain('src/one.txt');
	expect(pictureOf(root)).toBe(found);

	write(root, {'src/one.txt': 'base\n'});
	expect((await project.run('status')).stdout).not.toContain('still in your checkout');
	expect(pictureOf(root)).toBe(before);
});
