import {execFileSync} from 'node:child_process';
import {
	appendFileSync,
	chmodSync,
	mkdirSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commitAll, git, script, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWatched} from './watched-settings.ts';

test('files that are included, or that only one checkout has, are told', async () => {
	const {root, home, told, set} = await makeWatched();
	const other = join(temporaryFolder(), 'other');
	expect(await told(() => git(root, 'worktree', 'add', '--quiet', other))).toEqual([]);
	const included = join(home, 'included');
	expect(await told(() => set('include.path', included))).toEqual(['include.path in .git/config']);
	expect(await told(() => write(home, {included: '[core]\n\thooksPath = /nowhere\n'}))).toEqual([
		'core.hookspath in ~/included',
	]);
	expect(await told(() => set('--global', 'core.hooksPath', '/nowhere/else'))).toEqual([
		'core.hookspath in ~/.gitconfig',
	]);
	expect(
		await told(() => {
			set('extensions.worktreeConfig', 'true');
			set('--worktree', 'core.sshCommand', 'true');
		}),
	).toEqual([
		'extensions.worktreeconfig in .git/config',
		'core.sshcommand in .git/config.worktree',
	]);
	expect(await told(() => git(other, 'config', '--worktree', 'diff.external', 'true'))).toEqual([
		'diff.external in .git/worktrees/other/config.worktree',
	]);
	expect(await told(() => rmSync(other, {recursive: true}))).toEqual([
		'.git/worktrees/other/config.worktree (removed)',
	]);
});

test('hooks, attributes and where objects come from are told by their names', async () => {
	const {root, home, told, hook} = await makeWatched();
	expect(await told(() => script(hook('pre-push'), 'exit 0'))).toEqual(['.git/hooks/pre-push']);
	expect(await told(() => script(hook('pre-push'), 'exit 1'))).toEqual(['.git/hooks/pre-push']);
	expect(await told(() => chmodSync(hook('pre-push'), 0o644))).toEqual(['.git/hooks/pre-push']);
	expect(await told(() => rmSync(hook('pre-push')))).toEqual(['.git/hooks/pre-push (removed)']);
	for (const path of ['info/attributes', 'info/grafts', 'objects/info/alternates']) {
		expect(await told(() => write(root, {[`.git/${path}`]: '\n'}))).toEqual([`.git/${path}`]);
	}

	expect(await told(() => write(home, {'config/git/attributes': '* text\n'}))).toEqual([
		'~/config/git/attributes',
	]);
	const head = git(root, 'rev-parse', 'HEAD');
	const other = commitAll(root);
	expect(await told(() => git(root, 'replace', head, other))).toEqual([`refs/replace/${head}`]);
});

test('what a link leads to counts, and not the link', async () => {
	const {root, home, told, hook} = await makeWatched();
	const links = [join(root, '.git/info/attributes'), hook('pre-merge-commit')];
	const names = ['.git/hooks/pre-merge-commit', '.git/info/attributes'];
	const link = (to: string) => () => {
		for (const path of links) {
			rmSync(path, {force: true});
			symlinkSync(to, path);
		}
	};

	write(home, {leads: '', elsewhere: '* filter=x\n'});
	expect(await told(link(join(home, 'leads')))).toEqual(names);
	expect(await told(() => write(home, {leads: '* filter=x\n'}))).toEqual(names);
	expect(await told(link(join(home, 'elsewhere')))).toEqual([]);
});

test('pipes, folders and names of any bytes are told and not waited for', async () => {
	const {root, told, hook} = await makeWatched();
	const odd = Buffer.concat([Buffer.from(hook('/')), Buffer.from([0xff])]);
	expect(
		await told(() => {
			execFileSync('mkfifo', [hook('pipe'), join(root, '.git/info/attributes')]);
			mkdirSync(hook('folder'));
			mkdirSync(odd);
			symlinkSync('grafts', join(root, '.git/info/grafts'));
		}),
	).toEqual([
		'.git/hooks/folder',
		'.git/hooks/pipe',
		'.git/hooks/\udcff',
		'.git/info/attributes',
		'.git/info/grafts',
	]);
});

test('of a long file only size and time are looked at', async () => {
	const {told, hook} = await makeWatched();
	expect(
		await told(() => {
			writeFileSync(hook('update'), '');
			truncateSync(hook('update'), 20 * 2 ** 20);
		}),
	).toEqual(['.git/hooks/update']);
	expect(await told(() => appendFileSync(hook('update'), 'x'))).toEqual(['.git/hooks/update']);
});

test('the person’s attributes are looked for where their git finds them', async () => {
	const {home, told, set} = await makeWatched();
	expect(
		await told(() => {
			delete process.env.XDG_CONFIG_HOME;
			write(home, {'.config/git/attributes': '* text\n'});
		}),
	).toEqual(['~/.config/git/attributes']);
	expect(await told(() => set('core.attributesFile', '~/own'))).toEqual([
		'core.attributesfile in .git/config',
		'~/.config/git/attributes (removed)',
	]);
	expect(await told(() => write(home, {own: '* text\n'}))).toEqual(['~/own']);
	const elsewhere = temporaryFolder();
	set('core.attributesFile', join(elsewhere, 'own'));
	expect(await told(() => write(elsewhere, {own: '* text\n'}))).toContain(join(elsewhere, 'own'));
});

test('where hooks lead in a circle, or nowhere, there are none', async () => {
	const {told, hook} = await makeWatched();
	await told(() => script(hook('pre-push'), 'exit 0'));
	expect(
		await told(() => {
			rmSync(hook(''), {recursive: true});
			symlinkSync('hooks', hook(''));
		}),
	).toEqual(['.git/hooks/pre-push (removed)']);
	expect(await told(() => rmSync(hook('')))).toEqual([]);
});
