import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {conflictText} from '../../../src/git/merge/conflict-text.ts';
import {mergeCommits} from '../../../src/git/merge/merge-tree.ts';
import {pinHub} from '../../../src/git/store/pin-hub.ts';
import {checkoutTree, commitTree} from '../../../src/git/store/store.ts';
import type {Change} from '../../../src/git/tree/changes.ts';
import {graft} from '../../../src/git/tree/graft.ts';
import {revertPaths} from '../../../src/git/worktree/revert-paths.ts';
import {wholeWorktree, worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {git, makeRepository, script, temporaryFolder, write} from '../../helpers/repository.ts';
import {worldOf} from '../world.ts';

type World = Awaited<ReturnType<typeof worldOf>>;

type Attack = {
	readonly plant: (world: World, program: string) => void;
	/** A plain command in the worktree that falls for it; without one the danger is a wrong repository. */
	readonly fallsFor?: readonly string[];
};

const configure = (world: World, key: string, value: string): string =>
	git(world.hub.gitDir, 'config', key, value);

/** Has the program start for each of these keys. */
const configured =
	(...keys: readonly string[]): Attack['plant'] =>
	(world, program) => {
		for (const key of keys) {
			configure(world, key, program);
		}
	};

const attributes = '* filter=evil diff=evil merge=evil\n';

/** The same for a key that counts only for files with an attribute. */
const attributed =
	(key: string): Attack['plant'] =>
	(world, program) => {
		configure(world, key, program);
		write(world.tree, {'.gitattributes': attributes});
	};

const hooks = [
	'post-index-change',
	'reference-transaction',
	'post-checkout',
	'pre-commit',
	'post-commit',
];

const plantHooks = (folder: string, program: string): void => {
	for (const hook of hooks) {
		script(join(folder, hook), `exec ${program}`);
	}
};

/** A repository with everything in its configuration that starts a program. */
const hostileRepository = (folder: string, program: string): void => {
	mkdirSync(folder, {recursive: true});
	git(folder, 'init', '--quiet');
	plantHooks(join(folder, '.git/hooks'), program);
	for (const key of [
		'core.fsmonitor',
		'filter.evil.clean',
		'filter.evil.smudge',
		'diff.external',
	]) {
		git(folder, 'config', key, program);
	}

	writeFileSync(join(folder, '.git/info/attributes'), attributes);
};

const attacks: Readonly<Record<string, Attack>> = {
	'hook files': {
		plant: (world, program) => plantHooks(join(world.hub.gitDir, 'hooks'), program),
		fallsFor: ['add', '--all'],
	},
	'core.hooksPath': {
		plant: (world, program) => {
			const folder = join(world.folder, 'evil-hooks');
			plantHooks(folder, program);
			configure(world, 'core.hooksPath', folder);
		},
		fallsFor: ['add', '--all'],
	},
	'core.fsmonitor': {plant: configured('core.fsmonitor'), fallsFor: ['status']},
	'core.fsmonitor by include.path': {
		plant: (world, program) => {
			writeFileSync(join(world.folder, 'evil'), `[core]\n\tfsmonitor = ${program}\n`);
			configure(world, 'include.path', join(world.folder, 'evil'));
		},
		fallsFor: ['status'],
	},
	'core.fsmonitor by config.worktree': {
		plant: (world, program) => {
			configure(world, 'extensions.worktreeConfig', 'true');
			writeFileSync(
				join(world.hub.gitDir, 'worktrees/tree/config.worktree'),
				`[core]\n\tbare = false\n\tfsmonitor = ${program}\n`,
			);
		},
		fallsFor: ['status'],
	},
	'a clean filter': {plant: attributed('filter.evil.clean'), fallsFor: ['add', '--all']},
	'a smudge filter': {plant: attributed('filter.evil.smudge'), fallsFor: ['checkout', '--', '.']},
	'a filter process that is required': {
		plant: (world, program) => {
			attributed('filter.evil.process')(world, program);
			configure(world, 'filter.evil.required', 'true');
		},
		fallsFor: ['add', '--all'],
	},
	'a filter by info/attributes': {
		plant: (world, program) => {
			configure(world, 'filter.evil.clean', program);
			write(world.hub.gitDir, {'info/attributes': attributes});
		},
		fallsFor: ['add', '--all'],
	},
	'a merge driver': {
		plant: (world, program) => {
			attributed('merge.evil.driver')(world, program);
			write(world.hub.gitDir, {'info/attributes': attributes});
		},
		fallsFor: ['merge-tree', '--write-tree', 'HEAD', 'other'],
	},
	textconv: {plant: attributed('diff.evil.textconv'), fallsFor: ['diff']},
	'diff.external': {plant: configured('diff.external'), fallsFor: ['diff']},
	'an alias': {
		plant: (world, program) => {
			for (const command of ['evil', 'status', 'ls-files', 'write-tree', 'diff-tree']) {
				configure(world, `alias.${command}`, `!${program}`);
			}
		},
		fallsFor: ['evil'],
	},
	'gpg.program': {
		plant: (world, program) => {
			configure(world, 'gpg.program', program);
			configure(world, 'commit.gpgSign', 'true');
		},
		fallsFor: ['commit', '--allow-empty', '--message', 'x'],
	},
	'a pager, an editor, an askpass and an ssh command': {
		plant: configured('core.pager', 'core.editor', 'core.askPass', 'core.sshCommand'),
		fallsFor: ['commit', '--allow-empty'],
	},
	'a remote that is a command': {
		plant: (world, program) => {
			configure(world, 'protocol.ext.allow', 'always');
			configure(world, 'remote.origin.url', `ext::${program}`);
			configure(world, 'remote.origin.fetch', '+refs/*:refs/*');
		},
		fallsFor: ['fetch', 'origin'],
	},
	'a command for the refs of alternates, and a credential helper': {
		plant: (world, program) => {
			configure(world, 'core.alternateRefsCommand', program);
			configure(world, 'credential.helper', `!${program}`);
		},
		fallsFor: ['rev-list', '--alternate-refs'],
	},
	'a .git file that points elsewhere': {
		plant: (world, program) => {
			hostileRepository(join(world.folder, 'evil'), program);
			writeFileSync(join(world.tree, '.git'), `gitdir: ${world.folder}/evil/.git\n`);
		},
		fallsFor: ['status'],
	},
	'a .git that is a repository': {
		plant: (world, program) => {
			rmSync(join(world.tree, '.git'));
			hostileRepository(world.tree, program);
		},
		fallsFor: ['status'],
	},
	'a commondir that points elsewhere': {
		plant: (world, program) => {
			hostileRepository(join(world.folder, 'evil'), program);
			writeFileSync(
				join(world.hub.gitDir, 'worktrees/tree/commondir'),
				`${world.folder}/evil/.git\n`,
			);
		},
		fallsFor: ['status'],
	},
	'a hostile repository inside': {
		plant: (world, program) => hostileRepository(join(world.tree, 'inside'), program),
	},
	'a hostile repository in place of a submodule': {
		plant: (world, program) => {
			// Git looks inside only when the commit is the one that the base names.
			const folder = join(world.tree, 'vendor');
			mkdirSync(folder, {recursive: true});
			git(folder, 'init', '--quiet');
			write(folder, {
				'.git/objects/info/alternates': `${world.repository.objects}\n`,
				'.git/HEAD': git(world.root, 'rev-parse', 'HEAD:vendor'),
				'a.txt': 'new',
			});
			git(folder, 'read-tree', 'HEAD');
			hostileRepository(folder, program);
		},
		fallsFor: ['add', '--all'],
	},
	'a git in the worktree': {
		plant: (world, program) => script(join(world.tree, 'git'), `exec ${program}`),
	},
};

/** A world with a submodule, and a branch of the agent's that conflicts with its work. */
const target = async (): Promise<World> => {
	const root = makeRepository({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const link = `160000,${git(root, 'rev-parse', 'HEAD')},vendor`;
	git(root, 'update-index', '--add', '--cacheinfo', link);
	git(root, 'commit', '--quiet', '--message', 'submodule');
	const world = await worldOf(root);
	write(world.tree, {'a.txt': 'other\n'});
	git(world.tree, 'commit', '--quiet', '--all', '--message', 'other');
	git(world.tree, 'branch', 'other');
	git(world.tree, 'reset', '--quiet', '--soft', 'HEAD~');
	write(world.tree, {'a.txt': 'agent\n'});
	git(world.tree, 'commit', '--quiet', '--all', '--message', 'agent');
	return world;
};

const work = (world: World): void => {
	write(world.tree, {'a.txt': 'agent again\n', 'out.txt': 'out of scope\n'});
	rmSync(join(world.tree, 'b.txt'), {force: true});
};

/** All that the supervisor ever does with what an agent touched. */
const workOn = async (world: World) => {
	const {store, base, folder, tree} = world;
	const {commit, found} = await world.changed();
	const without = found.filter(({path}) => path === 'a.txt').map(gone);
	const theirs = await commitTree(store, {
		tree: await graft(store, {onto: base, changes: without}),
		parents: [base],
		message: 'theirs',
		at: '2026-11-21T20:00:00Z',
	});
	const merge = await mergeCommits(store, commit, theirs);
	const conflicts = merge.clean ? [] : merge.conflicts;
	const labels = {base: 'base', ours: 'ours', theirs: 'theirs'};
	for (const conflict of conflicts) {
		await conflictText(store, {...conflict, labels});
	}

	const index = join(folder, 'index');
	const now = await worktreeTree(store, {tree, index, seed: base});
	const whole = await wholeWorktree(store, {tree, seed: base});
	await revertPaths(store, {
		tree,
		changes: found.filter(({path}) => ['out.txt', 'b.txt', '.gitattributes'].includes(path)),
		patchFile: join(folder, 'reverted.patch'),
	});
	await checkoutTree(store, {repository: world.repository, commit, folder: join(folder, 'verify')});
	await pinHub(store, world.hub.gitDir, 'refs/delegate/s/AGT-001/hub');
	return {
		found: found.map(({path}) => path),
		conflicts: conflicts.map(({path}) => path),
		trees: [now, whole.tree],
		snapshot: git(store.gitDir, 'rev-parse', `${commit}^{tree}`),
		pinned: git(store.gitDir, 'for-each-ref', 'refs/delegate/s/AGT-001/hub').split('\n'),
	};
};

const gone = ({path}: Change): Change => ({status: 'D', path, old: {mode: '', oid: ''}});

const makeCanary = () => {
	const folder = temporaryFolder();
	const program = join(folder, 'program');
	script(program, `echo "$0 $@" >> ${folder}/sang; exit 1`);
	const sang = join(folder, 'sang');
	return {program, hasSung: () => existsSync(sang), hush: () => rmSync(sang, {force: true})};
};

test.for(Object.entries(attacks))('%s runs no program', async ([, {plant, fallsFor}]) => {
	const canary = makeCanary();
	const world = await target();
	plant(world, canary.program);
	work(world);
	if (fallsFor !== undefined) {
		tryPlain(world, fallsFor);
		expect(canary.hasSung(), 'plain git falls for it').toBe(true);
		canary.hush();
		work(world);
	}

	const {found, conflicts, trees, snapshot, pinned} = await workOn(world);
	expect(canary.hasSung()).toBe(false);
	expect(found).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'out.txt']));
	expect(conflicts).toEqual(['a.txt']);
	expect(trees).toEqual([snapshot, snapshot]);
	expect(pinned.length).toBeGreaterThan(1);
	expect(existsSync(join(world.tree, 'out.txt'))).toBe(false);
	expect(readFileSync(join(world.tree, 'b.txt'), 'utf8')).toBe('b\n');
});

/** What counts is whether the program runs, not whether git ends well. */
const tryPlain = (world: World, args: readonly string[]): void => {
	try {
		git(world.tree, ...args);
	} catch {}
};
