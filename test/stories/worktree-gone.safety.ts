import {existsSync, lstatSync, readlinkSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test.each(['removed', 'link'])(
	'a worktree that its agent lost (%s) is recreated from its last snapshot when a person tries again',
	async how => {
		await using session = await startSession({
			agents: [agent('loses-worktree.sh', ['src/text.txt', how])],
			setup: ['echo ready > src-setup.txt'],
		});
		await session.answer(await session.item('checkpoint', 'AGT-001'), 'continue');
		const failure = await session.item('failure', 'AGT-001');
		const failed = await session.agent('AGT-001', 'FAILED');
		expect(failed.why).toContain('is not a folder any more');
		const {tree} = session.folder.agent('AGT-001');
		expect(existsSync(join(tree, 'src'))).toBe(false);

		await session.answer(failure, 'retry');
		await session.accept('AGT-001');
		expect(lstatSync(tree).isDirectory()).toBe(true);
		const again = session.events('workspace.prepared').at(-1);
		expect(again).toMatchObject({agent: 'AGT-001', rebuilt: {snapshot: 2}});
		const aside = join(session.folder.path, again?.rebuilt?.aside ?? '');
		expect(existsSync(join(aside, 'hub.git'))).toBe(true);
		if (how === 'link') {
			expect(readlinkSync(join(aside, 'tree'))).toBe('/');
		}

		await session.approve();
		expect(git(session.project.root, 'show', 'main:src/text.txt')).toMatch(
			/^draft\nYour worktree was gone\. It was recreated from snapshot 2;/,
		);
	},
);

test('a worktree that somebody removed while its agent waited is recreated when the agent goes on', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const question = await session.item('question', 'AGT-001');
	await session.agent('AGT-001', 'CHECKPOINT');
	rmSync(session.folder.agent('AGT-001').tree, {recursive: true});
	await session.answer(question, 'oauth');
	await session.accept('AGT-001');
	expect(session.events('workspace.prepared').at(-1)).toMatchObject({
		agent: 'AGT-001',
		rebuilt: {snapshot: 1},
	});
	expect(session.events('agent.moved').filter(({to}) => to === 'FAILED')).toEqual([]);
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/auth.txt')).toBe('oauth');
});
