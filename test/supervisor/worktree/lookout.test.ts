import {expect, onTestFinished, test, vi} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {watchTree} from '../../../src/lib/files/watch-tree.ts';
import {
	branchStamp,
	createLookout,
	isAlias,
	watchWorktree,
} from '../../../src/supervisor/worktree/lookout.ts';
import {commitAll, git, makeRepository, write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

/** A lookout for one agent, of which the test says what is hinted at and how late it is. */
const makeLookout = () => {
	const told = {hint: false, nowMs: 0, renewed: 0};
	const now = vi.spyOn(performance, 'now').mockImplementation(() => told.nowMs);
	onTestFinished(() => now.mockRestore());
	const lookout = createLookout(() => ({
		takeHint: async () => told.hint,
		renew: () => {
			told.renewed += 1;
		},
		trouble: () => undefined,
		close: () => {},
	}));
	/** Looks once, with this result, as soon as a look is due, and returns after how many seconds that was. */
	const look = async (found: 'same' | 'changed'): Promise<number> => {
		const since = told.nowMs;
		while (!(await lookout.isDue('AGT-001'))) {
			told.nowMs += 1000;
		}

		lookout.looked('AGT-001', found);
		return (told.nowMs - since) / 1000;
	};

	return {told, look, lookout};
};

test('a worktree of which nothing is told is looked at after 1, 15 and 60 seconds, and each minute from then on', async () => {
	const {look} = makeLookout();
	await look('changed');
	const pauses = [];
	for (let times = 0; times < 5; times++) {
		pauses.push(await look('same'));
	}

	expect(pauses).toEqual([1, 15, 60, 60, 60]);
});

test('a hint makes a look due at once, and the next one a second later', async () => {
	const {told, look} = makeLookout();
	await look('same');
	await look('same');
	await look('same');
	told.hint = true;
	expect(await look('changed')).toBe(0);
	told.hint = false;
	expect(await look('same')).toBe(1);
});

test('folders are read anew once a change was found of which nothing had told', async () => {
	const {told, look} = makeLookout();
	await look('same');
	told.hint = true;
	await look('changed');
	expect(told.renewed).toBe(0);
	told.hint = false;
	await look('changed');
	expect(told.renewed).toBe(1);
});

test('the worktree of an agent at work hints at what git would see, and not at what it ignores', async () => {
	const {world, tree} = await makeAtWork({
		...{'.gitignore': 'out/\n/src/kept/\n', 'src/a.txt': 'a\n', 'src/kept/c.txt': 'c\n'},
	});
	write(tree, {'out/deep/b.txt': 'b\n'});
	const seen: string[] = [];
	const watched = watchWorktree(world, 'AGT-001');
	onTestFinished(watched.close);
	const all = watchTree(tree, {
		ignored: async folders => {
			seen.push(...folders);
			return new Set();
		},
	});
	onTestFinished(all.close);
	await watched.takeHint();
	await all.takeHint();
	expect(seen).toContain('out/deep');
	while (await watched.takeHint()) {}

	while (await all.takeHint()) {}

	write(tree, {'out/deep/b.txt': 'two\n'});
	await expect.poll(all.takeHint).toBe(true);
	expect(await watched.takeHint()).toBe(false);
	for (const path of ['src/a.txt', 'src/kept/c.txt']) {
		write(tree, {[path]: 'two\n'});
		await expect.poll(watched.takeHint).toBe(true);
		while (await watched.takeHint()) {}
	}
});

test('the stamp of a branch changes with each move of it, in loose and in packed refs', async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const repository = await openRepository(root);
	const stamps = [branchStamp(repository, 'main')];
	expect(branchStamp(repository, 'main')).toBe(stamps[0]);
	write(root, {'a.txt': 'two\n'});
	commitAll(root, 'two');
	stamps.push(branchStamp(repository, 'main'));
	git(root, 'pack-refs', '--all');
	stamps.push(branchStamp(repository, 'main'));
	git(root, 'update-ref', 'refs/heads/main', 'HEAD~1');
	stamps.push(branchStamp(repository, 'main'));
	git(root, 'pack-refs', '--all');
	stamps.push(branchStamp(repository, 'main'));
	expect(new Set(stamps).size).toBe(5);
});

test('the stamp of a branch changes where a file of git was written over in place', async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const repository = await openRepository(root);
	write(root, {'a.txt': 'two\n'});
	commitAll(root, 'two');
	const before = branchStamp(repository, 'main');
	write(root, {'.git/refs/heads/main': `${git(root, 'rev-parse', 'HEAD~1').trim()}\n`});
	expect(branchStamp(repository, 'main')).not.toBe(before);
});

test('a branch that stands for another one is known for one', async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	git(root, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
	const repository = await openRepository(root);
	expect(await isAlias(repository, 'alias')).toBe(true);
	expect(await isAlias(repository, 'main')).toBe(false);
	git(root, 'pack-refs', '--all');
	expect(await isAlias(repository, 'main')).toBe(false);
});
