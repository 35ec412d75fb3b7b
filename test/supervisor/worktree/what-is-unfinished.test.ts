import {mkdirSync, rmSync} from 'node:fs';
import {expect, test} from 'vitest';
import {foundText} from '../../../src/rules/notices.ts';
import {probe} from '../../../src/supervisor/probe.ts';
import {noteFinished, noteUnfinished} from '../../../src/supervisor/worktree/change-worktree.ts';
import {makeAtWork} from '../at-work.ts';
import {makeSupervised} from '../world.ts';

const agent = 'AGT-001';
const quiet = {lost: [], interrupted: [], ended: []};

test('a worktree that was being prepared is told, and nothing where none was begun', async () => {
	const {world, state} = await makeSupervised({'a.txt': 'a\n'});
	expect((await probe(world, state, undefined)).found).toBeUndefined();
	mkdirSync(world.folder.agent(agent).hub, {recursive: true});
	const {found} = await probe(world, state, undefined);
	expect(found).toEqual({...quiet, unfinished: [{agent, doing: 'made'}]});
});

test('a worktree that was being changed or recreated is told, and not as removed besides', async () => {
	const {world, state, tree, believe} = await makeAtWork({'src/a.txt': 'a\n'});
	const folder = world.folder.agent(agent);
	const found = async () => (await probe(world, state(), undefined)).found;
	await noteUnfinished(folder, 'changed');
	expect(await found()).toEqual({...quiet, unfinished: [{agent, doing: 'changed'}]});

	await noteUnfinished(folder, {aside: 'replaced-1'});
	rmSync(tree, {recursive: true});
	const made = {...quiet, unfinished: [{agent, doing: 'made' as const}]};
	expect(await found()).toEqual(made);
	expect(foundText(made)).toBe(
		'The supervisor ended and was started again: the worktree of AGT-001 was being made when the last supervisor ended, and is repaired before it goes on.',
	);

	await noteFinished(folder);
	expect(await found()).toEqual({...quiet, missing: [{agent, what: 'worktree'}]});
	await noteUnfinished(folder, 'changed');
	believe({kind: 'agent.moved', agent, from: 'SPAWNING', to: 'ABORTED', why: 'for a test'});
	expect(await found()).toBeUndefined();
});
