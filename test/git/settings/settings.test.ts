import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {changedSince, readSettings} from '../../../src/git/read-settings.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {commitAll, git, script, write} from '../../helpers/repository.ts';
import {makeWatched} from './watched-settings.ts';

test('each setting that came, went or changed is told by its key, never by its value', async () => {
	const {told, set} = await makeWatched();
	for (const setting of ['remote.origin.fetch', 'fetch.prune', 'user.name', 'filter.x.smudge']) {
		expect(await told(() => set(setting, '+refs/*:refs/*'))).toEqual([`${setting} in .git/config`]);
	}

	expect(await told(() => set('--global', 'merge.own.driver', 'true'))).toEqual([
		'merge.own.driver in ~/.gitconfig',
	]);
	expect(await told(() => set('--add', 'remote.origin.fetch', '+a:b'))).toEqual([
		'remote.origin.fetch in .git/config',
	]);
	expect(await told(() => set('--unset', 'user.name'))).toEqual([
		'user.name (removed) in .git/config',
	]);
	const secret = 'url.https://me:s3cret@example.com/.insteadOf';
	expect(await told(() => set(secret, 'https://example.com/'))).toEqual([
		'url.https://…@example.com/.insteadof in .git/config',
	]);
});

test('a file of the configuration in which no setting changed is told itself', async () => {
	const {root, told} = await makeWatched();
	expect(await told(() => appendFileSync(join(root, '.git/config'), '# words\n'))).toEqual([
		'.git/config',
	]);
});

test('of a session that an earlier version began the file is told, and none of its settings', async () => {
	const {root} = await makeWatched();
	const repository = await openRepository(root);
	const {parts} = await readSettings(repository);
	git(root, 'config', 'alias.x', 'y');
	expect(changedSince(await readSettings(repository), {parts})).toEqual(['.git/config']);
});

test('what settings hold stands in no reading of them', async () => {
	const {root, set} = await makeWatched();
	set('url.https://me:s3cret@example.com/.insteadOf', 'https://t0ken@example.com/');
	const reading = await readSettings(await openRepository(root));
	expect(JSON.stringify(reading)).not.toMatch(/s3cret|t0ken/);
	expect(reading.keys['.git/config']).toHaveProperty(['url.https://…@example.com/.insteadof']);
});

test('hooks are told where the person’s settings lead', async () => {
	const {root, told, set} = await makeWatched();
	write(root, {'.husky/pre-commit': 'true\n'});
	expect(await told(() => set('core.hooksPath', '.husky'))).toEqual([
		'core.hookspath in .git/config',
		`${root}/.husky/pre-commit`,
	]);
	expect(await told(() => write(root, {'.husky/pre-commit': 'evil\n'}))).toEqual([
		`${root}/.husky/pre-commit`,
	]);
});

test('what hides history or files from git is told', async () => {
	const {root, told} = await makeWatched();
	const head = git(root, 'rev-parse', 'HEAD');
	for (const path of ['.git/shallow', '.git/info/exclude', '.git/info/sparse-checkout']) {
		expect(await told(() => write(root, {[path]: `${head}\n`}))).toEqual([path]);
	}
});

test('commits, other branches, collected garbage and samples are not told', async () => {
	const {root, told, hook} = await makeWatched();
	const daily = [
		() => git(root, 'checkout', '--quiet', '-b', 'topic'),
		() => commitAll(root, 'theirs'),
		() => git(root, 'gc', '--quiet'),
		() => git(root, 'stash', 'list'),
		() => script(hook('pre-commit.sample'), 'exit 0'),
	];
	expect(await told(() => daily.map(act => act()))).toEqual([]);
});
