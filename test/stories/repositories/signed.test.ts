import {spawnSync} from 'node:child_process';
import {expect, onTestFinished, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';
import {madeBy} from './made-by.ts';

const plan = {agents: [agent('edits.sh', ['src/one.txt', 'two'])]};

/** Runs GnuPG, and returns whether it is there. */
const gpg = (...words: readonly string[]) => spawnSync('gpgconf', words).status === 0;

test.for([
	['ssh', 'ada@example.org', true],
	['openpgp', 'Ada <ada@example.org>', gpg('--version')],
] as const)(
	'a merge and its undo are signed by the person’s own %s, and nothing of them arrives before the yes',
	async ([format, signer, isThere], {skip}) => {
		skip(!isThere, 'GnuPG is not installed.');
		const project = madeBy('signed.sh', format);
		// The first signature starts an agent, which would stay.
		onTestFinished(() => void (format === 'openpgp' && gpg('--kill', 'all')));
		await using session = await startSession(plan, project);
		await session.accept('AGT-001');
		const {commit} = await session.event('merge.built');
		expect(() => git(project.root, 'cat-file', '-e', commit)).toThrow();
		await session.approve();
		expect(git(project.root, 'log', '-1', '--format=%H %G? %GS')).toBe(`${commit} G ${signer}`);
		git(project.root, 'commit', '--quiet', '--allow-empty', '--message', 'Go on');
		expect((await project.run('undo', '--yes')).stderr).toBe('');
		expect(git(project.root, 'log', '-1', '--format=%s %G?')).toMatch(/^Revert .* G$/);
	},
);

test('a commit that can’t be signed is said to be so at its approval, and wants a yes that names that', async () => {
	const project = madeBy('signed.sh');
	git(project.root, 'config', 'user.signingKey', `${project.aside}/gone`);
	await using session = await startSession(plan, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	const why = 'Your git signs commits (commit.gpgSign), and can’t sign this one';
	expect((await project.run('inbox')).stdout).toContain(why);
	const approve = ['answer', approval.id, 'approve'];
	// A script that tries again until it succeeds is no second yes.
	for (const more of [[], ['--json'], []]) {
		const {stdout, stderr, code} = await project.run(...approve, ...more);
		const {message, hint} =
			more.length === 0 ? {message: stderr, hint: stderr} : JSON.parse(stdout).error;
		expect(code).toBe(1);
		expect(message).toContain(why);
		expect(message).toContain('Nothing is merged yet: add --anyway to merge it anyway');
		expect(hint).toContain(`delegate-tui answer ${approval.id} approve --anyway`);
	}

	expect(session.events('merge.published')).toEqual([]);
	expect((await project.run(...approve, '--anyway')).stdout).toContain('merged ');
	await session.end();
	expect(git(project.root, 'log', '-1', '--format=%s %G?')).toBe('Play a story N');
});
