import {rmSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openStore} from '../../../src/git/store/store.ts';
import {whatIsMissing} from '../../../src/supervisor/machine/survivors.ts';
import {probe} from '../../../src/supervisor/probe.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

const agent = 'AGT-001';

test('a worktree, its git folder and a store that somebody removed are missing, each by itself', async () => {
	const session = await makeAtWork({'src/a.txt': 'a\n'});
	const {world, tree} = session;
	for (const text of ['b\n', 'c\n']) {
		write(tree, {'src/a.txt': text});
		session.believe(...(await capture(world, session.agent(), 'for a test')));
	}

	const missing = () => whatIsMissing(world, session.state());
	expect(await missing()).toEqual([]);
	expect((await probe(world, session.state(), undefined)).found).toBeUndefined();

	rmSync(world.folder.agent(agent).hub, {recursive: true});
	expect(await missing()).toEqual([{agent, what: 'git'}]);

	rmSync(world.store.gitDir, {recursive: true});
	await openStore(world.store.gitDir, world.repository);
	rmSync(tree, {recursive: true});
	const all = [
		{agent, what: 'worktree'},
		{agent, what: 'git'},
		{agent, what: 'snapshots', numbers: [1, 2]},
	];
	expect(await missing()).toEqual(all);
	expect((await probe(world, session.state(), undefined)).found).toEqual({
		lost: [],
		interrupted: [],
		ended: [],
		missing: all,
	});

	session.believe({kind: 'agent.moved', agent, from: 'SPAWNING', to: 'ABORTED', why: 'for a test'});
	expect(session.agent().state).toBe('ABORTED');
	expect(await missing()).toEqual([]);
});
