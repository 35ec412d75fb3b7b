import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	closeSync,
	existsSync,
	openSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {sealed, supervisorIdentity} from '../../../src/git/process/sealed.ts';
import {readRef} from '../../../src/git/store/store.ts';
import {readBlob} from '../../../src/git/tree/blobs.ts';
import {changes} from '../../../src/git/tree/changes.ts';
import {entriesOf} from '../../../src/git/tree/listing.ts';
import {layOutSubmodules} from '../../../src/git/worktree/submodules.ts';
import {decodePath} from '../../../src/lib/text/byte-path.ts';
import {commitAll, git, hermeticHome, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWorld, worldOf} from '../world.ts';

type World = Awaited<ReturnType<typeof makeWorld>>;

/** What a new snapshot shows. */
const shown = async (world: World): Promise<string[]> => (await world.changed()).shown;

test('holds what was added, edited, removed and made executable', async () => {
	const world = await makeWorld({
		'a.txt': 'a\n',
		'b/c.txt': 'c\n',
		'run.sh': 'true\n',
		'same.txt': '',
	});
	write(world.tree, {'a.txt': 'changed\n', 'new/file.txt': 'new\n'});
	rmSync(join(world.tree, 'b'), {recursive: true});
	chmodSync(join(world.tree, 'run.sh'), 0o755);
	const {found, shown, skipped} = await world.changed();
	expect(shown).toEqual(['M a.txt', 'D b/c.txt', 'A new/file.txt', 'M run.sh']);
	expect(found[3]).toMatchObject({old: {mode: '100644'}, new: {mode: '100755'}});
	expect(skipped).toEqual([]);
});

test('is byte for byte the commit that git would write, with ids of either length', async () => {
	for (const format of ['sha1', 'sha256']) {
		hermeticHome();
		const root = join(temporaryFolder(), 'project');
		git('/', 'init', '--quiet', `--object-format=${format}`, root);
		write(root, {'readme.md': 'hello\n'});
		commitAll(root, 'base');
		const {store, snapshot, base} = await worldOf(root);
		const {commit, tree} = await snapshot();
		const date = '@1795291200 +0000';
		const env = {
			...process.env,
			GIT_AUTHOR_NAME: supervisorIdentity.name,
			GIT_AUTHOR_EMAIL: supervisorIdentity.email,
			GIT_AUTHOR_DATE: date,
			GIT_COMMITTER_NAME: supervisorIdentity.name,
			GIT_COMMITTER_EMAIL: supervisorIdentity.email,
			GIT_COMMITTER_DATE: date,
		};
		const args = ['commit-tree', tree, '-p', base, '-F', '-'];
		const written = execFileSync('git', args, {cwd: store.gitDir, env, input: 'snapshot'});
		expect(commit).toBe(written.toString().trim());
		expect(git(store.gitDir, 'cat-file', '-t', commit)).toBe('commit');
		expect(git(store.gitDir, 'fsck', '--full', '--no-dangling', '--no-progress')).toBe('');
	}
});

test('is the same commit for the same tree, parents, message and time, and the one that its ref has already', async () => {
	const world = await makeWorld();
	const first = await world.snapshot();
	expect(await world.snapshot()).toEqual(first);
	expect(await readRef(world.store, 'refs/delegate/s/AGT-001/2')).toBe(first.commit);
	git(world.store.gitDir, 'update-ref', 'refs/delegate/s/AGT-001/3', first.commit);
	write(world.tree, {'a.txt': 'later'});
	expect(await world.snapshot()).toEqual(first);
	expect(await shown(world)).toEqual(['A a.txt']);
});

test('follows the worktree from one snapshot to the next', async () => {
	const world = await makeWorld({'a.txt': 'a\n'});
	write(world.tree, {'a.txt': 'b\n', 'b.txt': 'b\n'});
	expect(await shown(world)).toEqual(['M a.txt', 'A b.txt']);
	write(world.tree, {'a.txt': 'a\n'});
	rmSync(join(world.tree, 'b.txt'));
	expect(await shown(world)).toEqual([]);
	write(world.tree, {'a.txt': 'c\n'});
	expect(await shown(world)).toEqual(['M a.txt']);
});

test('a file that becomes a folder and a folder that becomes a file or a link are seen', async () => {
	const world = await makeWorld({file: '', 'folder/a': 'a', 'linked/a': 'a', link: ''});
	rmSync(join(world.tree, 'file'));
	write(world.tree, {'file/inner': 'x'});
	rmSync(join(world.tree, 'folder'), {recursive: true});
	write(world.tree, {folder: 'x'});
	rmSync(join(world.tree, 'linked'), {recursive: true});
	symlinkSync('/tmp', join(world.tree, 'linked'));
	rmSync(join(world.tree, 'link'));
	symlinkSync('nowhere', join(world.tree, 'link'));
	expect(await shown(world)).toEqual([
		'D file',
		'A file/inner',
		'A folder',
		'D folder/a',
		'T link',
		'A linked',
		'D linked/a',
	]);
});

test('odd names are kept byte for byte', async () => {
	const world = await makeWorld();
	const names = [
		'line\nbreak',
		'quote"\'',
		'esc\u001b[31m',
		'-rf',
		':(top)x',
		'back\\slash',
		'*',
		'ä',
		'\u009b',
	];
	for (const name of names) {
		writeFileSync(join(world.tree, name), name);
	}

	const odd = Buffer.from([0x69, 0xff, 0x6e, 0xc3]);
	writeFileSync(Buffer.concat([Buffer.from(`${world.tree}/`), odd]), 'odd');
	const {tree} = await world.snapshot();
	const entries = await entriesOf(world.store, tree);
	expect(new Set(entries.keys())).toEqual(new Set([...names, decodePath(odd), 'readme.md']));
	const blob = await readBlob(world.store, entries.get(decodePath(odd))?.oid ?? '');
	expect(blob.toString()).toBe('odd');
	writeFileSync(Buffer.concat([Buffer.from(`${world.tree}/`), odd]), 'changed');
	rmSync(join(world.tree, 'line\nbreak'));
	const {commit} = await world.snapshot();
	const later = await changes(world.store, tree, commit);
	expect(later.map(({status, path}) => [status, path])).toEqual([
		['M', decodePath(odd)],
		['D', 'line\nbreak'],
	]);
});

test('ignore rules count: of the worktree, of the repository and of the person', async () => {
	const world = await makeWorld({'.gitignore': '*.log\n'});
	write(process.env.XDG_CONFIG_HOME ?? '', {'git/ignore': '.idea/'});
	write(world.root, {'.git/info/exclude': '*.local'});
	const later = await worldOf(world.root);
	write(later.tree, {'a.log': '', 'b.local': '', '.idea/c': '', 'd.txt': ''});
	expect(await shown(later)).toEqual(['A d.txt']);
});

test('files of a repository that the agent made inside are kept as files; one without any leaves no trace', async () => {
	const world = await makeWorld({'.gitignore': 'node_modules\n', 'src/a.ts': ''});
	write(world.tree, {
		'new/a.txt': 'a',
		'new/node_modules/x': '',
		'done/b.txt': 'b',
		'done/in/c.txt': 'c',
	});
	git(join(world.tree, 'src'), 'init', '--quiet');
	write(world.tree, {'src/b.ts': ''});
	git(join(world.tree, 'new'), 'init', '--quiet');
	git(join(world.tree, 'done/in'), 'init', '--quiet');
	git(join(world.tree, 'done/in'), 'add', 'c.txt');
	git(join(world.tree, 'done/in'), 'commit', '--quiet', '--message', 'inner');
	git(join(world.tree, 'done'), 'init', '--quiet');
	git(world.tree, 'init', '--quiet', 'empty');
	const wanted = ['A done/b.txt', 'A done/in/c.txt', 'A new/a.txt', 'A src/b.ts'];
	expect(await shown(world)).toEqual(wanted);
	write(world.tree, {'new/d.txt': ''});
	expect(await shown(world)).toEqual([...wanted.slice(0, 3), 'A new/d.txt', 'A src/b.ts']);
});

test('a pipe in the place of a tracked file is told, a new one is nothing', async () => {
	const world = await makeWorld({'src/a.ts': 'a', 'b.txt': 'b'});
	execFileSync('mkfifo', [join(world.tree, 'src/pipe')]);
	rmSync(join(world.tree, 'b.txt'));
	execFileSync('mkfifo', [join(world.tree, 'b.txt')]);
	const {shown, skipped} = await world.changed();
	expect(skipped).toEqual([{path: 'b.txt', why: 'special'}]);
	expect(shown).toEqual(['D b.txt']);
});

test.each([
	['.gitignore', 'nobody writes'],
	['.gitattributes', 'nobody writes'],
	['.gitattributes', 'somebody opened and does not write'],
])('a pipe in the place of %s that %s keeps no git waiting for good', async (name, writer) => {
	const world = await makeWorld({'a.txt': 'a'});
	const pipe = join(world.tree, name);
	execFileSync('mkfifo', [pipe]);
	const end = writer === 'nobody writes' ? undefined : openSync(pipe, 'r+');
	write(world.tree, {'b.txt': 'b'});
	const args = ['update-index', '--add', 'b.txt'];
	const listing = ['ls-files', '--others', '--exclude-standard'];
	const location = {...world.store, workTree: world.tree, index: join(world.state, 'index')};
	await expect(sealed(location, name === '.gitignore' ? listing : args)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('named pipe'),
	});
	if (end !== undefined) {
		closeSync(end);
	}
});

test('a name that git refuses is told, also of a repository inside, and the rest is kept', async () => {
	const world = await makeWorld();
	write(world.tree, {'.GIT/config': 'x', '.g\u200cit/config': 'x', 'git~1': 'y', 'a.txt': 'z'});
	write(world.tree, {'in/git~1/a.txt': 'a'});
	git(join(world.tree, 'in/git~1'), 'init', '--quiet');
	const {shown, skipped} = await world.changed();
	expect(skipped).toEqual([
		{path: '.GIT/config', why: 'name'},
		{path: '.g\u200cit/config', why: 'name'},
		{path: 'git~1', why: 'name'},
		{path: 'in/git~1', why: 'nested'},
	]);
	expect(shown).toEqual(['A a.txt']);
});

test('each file in a submodule that its commit doesn’t have so is told and not taken in', async () => {
	const first = await makeWorld();
	const link = `160000,${first.base},vendor/lib`;
	git(first.root, 'update-index', '--add', '--cacheinfo', link);
	git(first.root, 'update-index', '--add', '--cacheinfo', link.replace('vendor', 'other'));
	git(first.root, 'commit', '--quiet', '--message', 'submodules');
	const world = await worldOf(first.root);
	expect((await world.snapshot()).skipped).toEqual([]);
	write(world.tree, {'vendor/lib/a.txt': 'a'});
	rmSync(join(world.tree, 'other/lib'), {recursive: true});
	write(world.tree, {'other/lib': 'a file now'});
	const {shown, skipped} = await world.changed();
	expect(skipped).toEqual([
		{path: 'vendor/lib/a.txt', why: 'submodule'},
		{path: 'vendor/lib/readme.md', why: 'submodule'},
	]);
	expect(shown).toEqual(['T other/lib']);
});

test('what is known of a submodule’s files is kept from one look to the next, and what changes is told', async () => {
	const first = await makeWorld({'one.txt': '1', 'two.txt': '2'});
	const link = (path: string, commit: string): string => {
		git(first.root, 'update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
		git(first.root, 'commit', '--quiet', '--message', path);
		return git(first.root, 'rev-parse', 'HEAD');
	};
	const top = link('vendor/lib', link('deep/inside', first.base));
	const world = await worldOf(first.root);
	await layOutSubmodules(world.store, world.tree, top);
	expect((await world.snapshot()).skipped).toEqual([]);
	const keptNow = () =>
		readdirSync(world.folder)
			.filter(name => name.startsWith('index-'))
			.map(name => join(world.folder, name));
	const kept = keptNow();
	// With the time of its last change git doesn't read a file again.
	const known = kept.map(index => {
		const env = {...process.env, GIT_INDEX_FILE: index};
		const listed = execFileSync('git', ['ls-files', '--debug'], {cwd: first.root, env});
		return listed.toString().match(/(?<=mtime: )[1-9]/g)?.length;
	});
	expect(known).toEqual([2, 2, 2]);
	const inodes = kept.map(index => statSync(index).ino);
	expect((await world.snapshot()).skipped).toEqual([]);
	expect(keptNow().map(index => statSync(index).ino)).toEqual(inodes);

	const changed = [{path: 'vendor/lib/one.txt', why: 'submodule'}];
	write(world.tree, {'vendor/lib/one.txt': '9'});
	expect((await world.snapshot()).skipped).toEqual(changed);
	for (const index of kept) {
		writeFileSync(index, 'broken');
	}

	expect((await world.snapshot()).skipped).toEqual(changed);
	write(world.tree, {'vendor/lib/one.txt': '1'});
	expect((await world.snapshot()).skipped).toEqual([]);
});

test('a broken index and a lock that a kill left behind change nothing', async () => {
	const world = await makeWorld({'a.txt': 'a', 'b.txt': 'b'});
	await world.snapshot();
	writeFileSync(join(world.folder, 'index'), 'broken');
	writeFileSync(join(world.folder, 'index.lock'), '');
	write(world.tree, {'a.txt': 'changed'});
	expect(await shown(world)).toEqual(['M a.txt']);
	expect(readdirSync(world.store.gitDir).filter(name => name.startsWith('index'))).toEqual([]);
});

test('works without the worktree’s own .git', async () => {
	const world = await makeWorld();
	rmSync(join(world.tree, '.git'));
	write(world.tree, {'a.txt': 'a'});
	expect(await shown(world)).toEqual(['A a.txt']);
	expect(existsSync(join(world.tree, '.git'))).toBe(false);
});

test('a link in place of a folder is a link, ignored or not, whatever it leads to', async () => {
	for (const rules of ['', 'lib\n']) {
		const world = await makeWorld({'lib/a.txt': 'a', 'lib/b.txt': 'b'});
		write(world.tree, {'.gitignore': rules});
		const outside = temporaryFolder();
		write(outside, {'a.txt': 'secret', 'b.txt': 'b'});
		execFileSync('mkfifo', [join(outside, 'pipe')]);
		rmSync(join(world.tree, 'lib'), {recursive: true});
		symlinkSync(outside, join(world.tree, 'lib'));
		const {found, skipped} = await world.changed();
		expect(skipped).toEqual([]);
		expect(found).toContainEqual(expect.objectContaining({status: 'D', path: 'lib/a.txt'}));
		expect(found.some(({path}) => path === 'lib')).toBe(rules === '');
	}
});
