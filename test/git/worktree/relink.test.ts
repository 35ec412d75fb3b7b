import {existsSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {relink} from '../../../src/git/worktree/revert-paths.ts';
import {git} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

/** An agent's worktree, and a look at its `.git`. */
const makeLinked = async () => {
	const {folder, tree, hub} = await makeWorld();
	const aside = join(folder, 'aside/1.git');
	const look = () => relink(tree, {hub: hub.gitDir, aside});
	return {
		folder,
		tree,
		hub: hub.gitDir,
		aside,
		look,
		branch: () => git(tree, 'branch', '--show-current'),
	};
};

test('a .git that leads where it should is left alone, and one that is gone is recreated', async () => {
	const {tree, look, aside, branch} = await makeLinked();
	expect(await look()).toBeUndefined();
	expect(existsSync(aside)).toBe(false);
	expect(branch()).toBe('agent/AGT-001');
	rmSync(join(tree, '.git'));
	expect(await look()).toEqual({change: 'deleted'});
	expect(branch()).toBe('agent/AGT-001');
	expect(await look()).toBeUndefined();
});

test('a repository in its place is moved aside with all that is in it', async () => {
	const {tree, look, aside, branch} = await makeLinked();
	rmSync(join(tree, '.git'));
	git(tree, 'init', '--quiet');
	git(tree, 'commit', '--quiet', '--allow-empty', '--message', 'theirs');
	expect(await look()).toEqual({change: 'modified'});
	expect(branch()).toBe('agent/AGT-001');
	expect(git(aside, 'log', '--format=%s')).toBe('theirs');
});

test('a .git that leads elsewhere is kept, too, and led back', async () => {
	const {tree, look, aside, branch} = await makeLinked();
	writeFileSync(join(tree, '.git'), 'gitdir: /nowhere\n');
	expect(await look()).toEqual({change: 'modified'});
	expect(readFileSync(aside, 'utf8')).toBe('gitdir: /nowhere\n');
	expect(branch()).toBe('agent/AGT-001');
});

test('where its repository is gone nothing is made that would lead nowhere', async () => {
	const {tree, hub, look} = await makeLinked();
	rmSync(hub, {recursive: true});
	rmSync(join(tree, '.git'));
	expect(await look()).toBeUndefined();
	expect(existsSync(join(tree, '.git'))).toBe(false);
});

test('what was moved aside is told, also where another .git stands in its place again', async () => {
	const {folder, tree, hub} = await makeLinked();
	writeFileSync(join(tree, '.git'), 'gitdir: /nowhere\n');
	const again = join(folder, 'again');
	symlinkSync(tree, again);
	// Moved to its own place it is there at once, as if its agent had made another.
	expect(await relink(tree, {hub, aside: join(again, '.git')})).toMatchObject({
		change: 'modified',
		trouble: {code: 'EEXIST'},
	});
});
