import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {mergeCommits} from '../../../src/git/merge/merge-tree.ts';
import {sealed} from '../../../src/git/process/sealed.ts';
import {pinHub} from '../../../src/git/store/pin-hub.ts';
import {refsBelow} from '../../../src/git/store/store.ts';
import {changes} from '../../../src/git/tree/changes.ts';
import {commitAll, git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const prefix = 'refs/delegate/s/AGT-001/hub';

/** A world in whose hub the agent has put something harmless in place of what it committed. */
const replacedWorld = async () => {
	const world = await makeWorld({'a.txt': 'base\n'});
	const {tree, base} = world;
	write(tree, {'a.txt': 'good\n'});
	const good = commitAll(tree, 'good');
	git(tree, 'reset', '--quiet', '--hard', base);
	write(tree, {'a.txt': 'evil\n'});
	const evil = commitAll(tree, 'evil');
	git(tree, 'replace', evil, good);
	git(tree, 'replace', `${evil}:a.txt`, `${good}:a.txt`);
	return {...world, good, evil};
};

test('what an agent replaced in its hub is shown, compared and merged as it is', async () => {
	const {store, hub, base, evil, good, tree, snapshot} = await replacedWorld();
	expect(git(tree, 'show', `${evil}:a.txt`), 'plain git falls for it').toBe('good');

	await pinHub(store, hub.gitDir, prefix);
	expect([...(await refsBelow(store, prefix)).values()]).toEqual(
		expect.arrayContaining([evil, good]),
	);
	expect([...(await refsBelow(store, 'refs/replace')).keys()]).toEqual([]);
	const shown = async (name: string) =>
		(await sealed(store, ['cat-file', 'blob', name])).stdout.toString('utf8');
	expect(await shown(`${evil}:a.txt`)).toBe('evil\n');

	const {commit} = await snapshot();
	expect(await shown(`${commit}:a.txt`)).toBe('evil\n');
	const [change] = await changes(store, base, commit);
	expect(change).toMatchObject({path: 'a.txt', new: {oid: await oidOf(store, 'evil\n')}});
	const merge = await mergeCommits(store, base, evil);
	expect(merge).toMatchObject({
		clean: true,
		tree: git(store.gitDir, 'rev-parse', `${evil}^{tree}`),
	});
});

const oidOf = async (store: Parameters<typeof sealed>[0], text: string): Promise<string> =>
	(await sealed(store, ['hash-object', '--stdin'], {input: text})).stdout.toString('utf8').trim();

test('an object whose content is another one’s is refused, and pins nothing', async () => {
	const {store, hub, good, evil} = await replacedWorld();
	const pathOf = (name: string): string => {
		const oid = git(hub.gitDir, '--no-replace-objects', 'rev-parse', name);
		return join(hub.gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
	};
	const path = pathOf(`${evil}:a.txt`);
	chmodSync(path, 0o644);
	writeFileSync(path, readFileSync(pathOf(`${good}:a.txt`)));
	await expect(pinHub(store, hub.gitDir, prefix)).rejects.toMatchObject({kind: 'refused'});
	expect([...(await refsBelow(store, prefix)).keys()]).toEqual([]);
});

test('a tree that would write into a git folder is refused, and pins nothing', async () => {
	const {store, hub, good} = await replacedWorld();
	const blob = git(hub.gitDir, 'rev-parse', `${good}:a.txt`);
	const tree = execFileSync('git', ['mktree'], {
		cwd: hub.gitDir,
		encoding: 'utf8',
		input: `100644 blob ${blob}\t.git\n`,
	}).trim();
	git(hub.gitDir, 'update-ref', 'refs/heads/evil', git(hub.gitDir, 'commit-tree', tree, '-m', 'x'));
	await expect(pinHub(store, hub.gitDir, prefix)).rejects.toMatchObject({kind: 'refused'});
	expect([...(await refsBelow(store, prefix)).keys()]).toEqual([]);
});

test('a pipe in place of an object or of a pack’s index keeps nobody waiting, and pins nothing', async () => {
	const {store, hub, evil} = await replacedWorld();
	const fan = join(hub.gitDir, 'objects/12');
	mkdirSync(fan, {recursive: true});
	const pipes = [
		join(hub.gitDir, `objects/pack/pack-${evil}.idx`),
		join(fan, '3456789012345678901234567890123456789012'.slice(2)),
	];
	for (const pipe of pipes) {
		execFileSync('mkfifo', [pipe]);
		await expect(pinHub(store, hub.gitDir, prefix)).rejects.toMatchObject({kind: 'refused'});
		rmSync(pipe);
	}

	expect([...(await refsBelow(store, prefix)).keys()]).toEqual([]);
});
