import {expect, test} from 'vitest';
import {changes} from '../../../src/git/tree/changes.ts';
import {treeOf} from '../../../src/git/tree/graft.ts';
import {surfaceIn} from '../../../src/supervisor/worktree/escaping-links.ts';
import {makeSupervised} from '../world.ts';

test('a submodule is named with the commit that it leads to', async () => {
	const {store} = (await makeSupervised({})).world;
	const at = (digit: string) => treeOf(store, [['lib', {mode: '160000', oid: digit.repeat(40)}]]);
	const found = await surfaceIn(store, await changes(store, await at('1'), await at('2')), {
		setup: [],
		verify: [],
	});
	expect(found).toEqual([{path: 'lib', as: 'submodule', what: '2222222222'}]);
});
