import {execFileSync} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {revertPaths} from '../../../src/git/worktree/revert-paths.ts';
import {worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {filesBelow, git, script, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const base = {'a.txt': 'a\n', 'b.txt': 'b\n'};
const refusal = {kind: 'refused', message: expect.stringContaining('is not a folder any more')};

/** What the next git with a certain word is preceded by; in a file, since a sealed git gets nothing of our environment. */
const folder = mkdtempSync(join(tmpdir(), 'delegate-tui-trick-'));
const trick = join(folder, 'trick');

beforeAll(() => {
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	script(
		join(folder, 'git'),
		`if read -r word tree elsewhere 2>/dev/null <${trick}; then
	case " $* " in
	*" $word "*) mv "$tree" "$tree-moved"; ln -s "$elsewhere" "$tree"; rm ${trick} ;;
	esac
fi
exec ${real} "$@"`,
	);
	process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
});

afterAll(() => rmSync(folder, {recursive: true}));

/** Replaces the worktree by a link just before the next git with this word begins. */
const replaceBefore = (word: string, tree: string, elsewhere: string): void =>
	writeFileSync(trick, `${word} ${tree} ${elsewhere}\n`);

const makeElsewhere = (): string => {
	const elsewhere = temporaryFolder();
	write(elsewhere, {'a.txt': 'a person’s\n', 'private.txt': 'secret\n'});
	return elsewhere;
};

const looks = {
	'a snapshot': (world: Awaited<ReturnType<typeof makeWorld>>) => world.snapshot(),
	'a look': ({store, tree, folder, base: seed}: Awaited<ReturnType<typeof makeWorld>>) =>
		worktreeTree(store, {tree, index: join(folder, 'index'), seed}),
};

test('a worktree that became a link, a file or nothing is refused', async () => {
	const world = await makeWorld(base);
	renameSync(world.tree, `${world.tree}-moved`);
	for (const put of [
		() => symlinkSync(makeElsewhere(), world.tree),
		() => writeFileSync(world.tree, ''),
		() => {},
	]) {
		put();
		for (const [name, look] of Object.entries(looks)) {
			await expect(look(world), name).rejects.toMatchObject(refusal);
		}

		rmSync(world.tree, {force: true});
	}
});

test.each(Object.entries(looks))(
	'%s goes nowhere else when the worktree is replaced before any of its gits',
	async (_, look) => {
		const world = await makeWorld(base);
		await world.snapshot();
		const elsewhere = makeElsewhere();
		const blob = git(elsewhere, 'hash-object', 'private.txt');
		for (const word of ['ls-files', 'update-index', 'write-tree']) {
			write(world.tree, {'b.txt': `edited before ${word}\n`});
			replaceBefore(word, world.tree, elsewhere);
			await expect(look(world), word).rejects.toMatchObject(refusal);
			expect(existsSync(trick)).toBe(false);
			expect(() => git(world.store.gitDir, 'cat-file', '-e', blob)).toThrow();
			rmSync(world.tree);
			renameSync(`${world.tree}-moved`, world.tree);
		}
	},
);

test('what is reverted goes to the worktree that was opened, never to what took its place', async () => {
	const world = await makeWorld(base);
	const original = filesBelow(world.tree);
	write(world.tree, {'a.txt': 'edited\n', 'c.txt': 'new\n'});
	const parts = await world.toRevert();
	const elsewhere = temporaryFolder();
	mkdirSync(join(elsewhere, 'deep'));
	// The same files as the worktree's, so that nothing there looks changed.
	write(elsewhere, {'a.txt': 'edited\n', 'c.txt': 'new\n', 'b.txt': 'b\n'});
	const before = filesBelow(elsewhere);
	replaceBefore('-u', world.tree, elsewhere);
	await expect(revertPaths(world.store, parts)).rejects.toMatchObject(refusal);
	expect(filesBelow(elsewhere)).toEqual(before);
	expect(filesBelow(`${world.tree}-moved`)).toEqual(original);
});
