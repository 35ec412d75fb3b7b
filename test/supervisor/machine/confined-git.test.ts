import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {gitExecutable} from '../../../src/git/process/executable.ts';
import type {Store} from '../../../src/git/store/store.ts';
import {revertPaths} from '../../../src/git/worktree/revert-paths.ts';
import {worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {findContainment} from '../../../src/lib/process/containment.ts';
import {emptyState} from '../../../src/state/state.ts';
import {confined} from '../../../src/supervisor/machine/confined-git.ts';
import {makeWorld} from '../../git/world.ts';
import {filesBelow, git, script, temporaryFolder, write} from '../../helpers/repository.ts';

/*
An agent goes on while its worktree is read and reverted, and swaps a folder in it for a link. Git looks once where a folder leads, and then trusts it for all files in it.
*/

const containment = await findContainment();
const protectsFiles = test.skipIf('missing' in containment.fileSandbox);
const confine = (store: Store): Store =>
	confined(store, {containment, state: () => emptyState}, () => {});

/** Makes a worktree with files that an agent added in a folder, and another folder with files of the same names. */
const withFolder = async (names: readonly string[]) => {
	const world = await makeWorld({'a.txt': 'a\n'});
	const elsewhere = temporaryFolder();
	write(elsewhere, Object.fromEntries(names.map(name => [name, 'a canary'])));
	write(join(world.tree, 'd'), Object.fromEntries(names.map(name => [name, 'a canary'])));
	return {...world, elsewhere, swap: `mv d aside; ln -s '${elsewhere}' d`};
};

protectsFiles('files that are reverted are removed in the worktree only', async () => {
	const names = Array.from({length: 2000}, (_, index) => `f${1000 + index}`);
	const {tree, toRevert, store, elsewhere, swap} = await withFolder(names);
	const before = filesBelow(elsewhere);
	const parts = await toRevert();
	const isWhole = '[ -e d/f1000 -a -e d/f2999 ]';
	const script = `echo begun; while ${isWhole}; do :; done; ${swap}`;
	const agent = spawn('/bin/sh', ['-c', script], {cwd: tree, stdio: ['ignore', 'pipe', 'inherit']});
	const ended = once(agent, 'exit');
	await once(agent.stdout, 'data');
	await revertPaths(confine(store), parts).catch(() => {});
	await ended;
	expect(filesBelow(elsewhere)).toEqual(before);
});

protectsFiles('a look reads files of the worktree only', async () => {
	const {tree, folder, base, store, elsewhere, swap} = await withFolder(['a', 'b']);
	write(join(tree, 'd'), {a: 'read first', b: 'read next'});
	const inObjects = (file: string) => {
		const id = git(tree, 'hash-object', file);
		return join(store.gitDir, 'objects', id.slice(0, 2), id.slice(2));
	};
	const [first, secret] = [inObjects('d/a'), inObjects(join(elsewhere, 'b'))];
	// Git gets the second name once it has read the first file.
	const script = `{ IFS= read -r -d '' first; printf '%s\\0' "$first"; while [ ! -e '${first}' ]; do :; done; cd '${tree}'; ${swap}; cat; } | "$@"`;
	const own = confine(store);
	await worktreeTree(
		{
			...own,
			confine: async (...parts) => [
				...['/bin/bash', '-c', script, 'bash'],
				...((await own.confine?.(...parts)) ?? []),
			],
		},
		{tree, index: join(folder, 'index'), seed: base},
	);
	expect(existsSync(join(tree, 'aside')), 'the folder was swapped').toBe(true);
	expect(filesBelow(store.gitDir)).not.toHaveProperty(secret.slice(store.gitDir.length + 1));
});

protectsFiles(
	'a git in a prefix of its own is confined, and one that starts in no box is not',
	async () => {
		const {store, folder, tree} = await makeWorld({'a.txt': 'a\n'});
		const index = join(folder, 'index');
		const own = temporaryFolder();
		const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
		const confinedWith = (git: string) =>
			confine(store).confine?.({...store, workTree: tree, index}, {git, opens: 'to read'});
		for (const [name, program, isConfined] of [
			['prefix', join(own, 'prefix/share/real'), true],
			['hidden', join(temporaryFolder(), 'real'), false],
		] as const) {
			const git = join(own, name, 'bin/git');
			for (const path of [git, program]) {
				mkdirSync(dirname(path), {recursive: true});
			}

			script(program, `exec ${real} "$@"`);
			script(git, `exec ${program} "$@"`);
			expect((await confinedWith(git))?.length !== 0, name).toBe(isConfined);
		}
	},
);

protectsFiles(
	'a git that failed in its box once is confined when it starts there again',
	async () => {
		const {store, tree} = await makeWorld({'a.txt': 'a\n'});
		const [program, fixed] = ['bwrap', 'fixed'].map(name => join(temporaryFolder(), name)) as [
			string,
			string,
		];
		const real = 'program' in containment.fileSandbox ? containment.fileSandbox.program : '';
		script(program, `[ -e '${fixed}' ] || kill -KILL $$; exec '${real}' "$@"`);
		const told: string[] = [];
		const fileSandbox = {program, by: 'bubblewrap'} as const;
		const {confine} = confined(
			store,
			{containment: {...containment, fileSandbox}, state: () => emptyState},
			line => told.push(line),
		);
		const isConfined = async () =>
			(await confine?.({...store, workTree: tree}, {git: gitExecutable(), opens: 'to read'}))
				?.length !== 0;
		expect([await isConfined(), await isConfined()]).toEqual([false, false]);
		expect(told).toHaveLength(1);
		write(dirname(fixed), {fixed: ''});
		expect(await isConfined()).toBe(true);
	},
);

protectsFiles('a confined git reads, converts and reverts as any other', async () => {
	const world = await makeWorld({'.gitattributes': '*.txt text\n', 'a.txt': 'a\n'});
	const before = filesBelow(world.tree);
	write(world.tree, {'a.txt': 'edited\r\n', 'new/b': 'b', 'new/closed': 'c'});
	chmodSync(join(world.tree, 'new/closed'), 0o400);
	const look = (store: Store) =>
		worktreeTree(store, {tree: world.tree, index: join(world.folder, 'index'), seed: world.base});
	const few = await look(confine(world.store));
	expect(few).toBe(await look(world.store));
	expect(git(world.store.gitDir, 'ls-tree', '-r', '--name-only', few).split('\n')).toEqual([
		...['.gitattributes', 'a.txt', 'new/b', 'new/closed'],
	]);
	const names = Array.from({length: 40}, (_, index) => `new/${10 + index}.txt`);
	write(world.tree, Object.fromEntries(names.map(name => [name, `${name}\r\n`])));
	const many = await look(confine(world.store));
	expect(git(world.store.gitDir, 'show', `${many}:new/49.txt`)).toBe('new/49.txt');
	expect(many).toBe(await look(world.store));
	await revertPaths(confine(world.store), await world.toRevert());
	expect(filesBelow(world.tree)).toEqual(before);
});
