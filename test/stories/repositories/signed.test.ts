import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';
import {madeBy} from './made-by.ts';

const plan = {agents: [agent('edits.sh', ['src/one.txt', 'two'])]};

test('a merge and its undo are signed by the person’s own program, and nothing of them arrives before the yes', async () => {
	const project = madeBy('signed.sh');
	await using session = await startSession(plan, project);
	await session.accept('AGT-001');
	const {commit} = await session.event('merge.built');
	expect(() => git(project.root, 'cat-file', '-e', commit)).toThrow();
	await session.approve();
	expect(git(project.root, 'log', '-1', '--format=%H %G? %GS')).toBe(`${commit} G ada@example.org`);
	git(project.root, 'commit', '--quiet', '--allow-empty', '--message', 'Go on');
	expect((await project.run('undo', '--yes')).stderr).toBe('');
	expect(git(project.root, 'log', '-1', '--format=%s %G?')).toMatch(/^Revert .* G$/);
});

test('a commit that can’t be signed is said to be so at its approval, and wants a second yes', async () => {
	const project = madeBy('signed.sh');
	git(project.root, 'config', 'user.signingKey', `${project.aside}/gone`);
	await using session = await startSession(plan, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	const why = 'Your git signs commits (commit.gpgSign), and can’t sign this one';
	expect((await project.run('inbox')).stdout).toContain(why);
	const first = await project.run('answer', approval.id, 'approve');
	expect(first.stdout).toContain(why);
	expect(first.stdout).toContain('approve once more takes it all the same');
	expect(session.events('merge.published')).toEqual([]);
	await session.approve();
	expect(git(project.root, 'log', '-1', '--format=%s %G?')).toBe('Play a story N');
});
