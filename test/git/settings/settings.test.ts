import {expect, test} from 'vitest';
import {commitAll, git, script, write} from '../../helpers/repository.ts';
import {makeWatched} from './watched-settings.ts';

test('a file of the configuration is told, whatever changed in it', async () => {
	const {told, set} = await makeWatched();
	for (const setting of ['remote.origin.fetch', 'fetch.prune', 'user.name', 'filter.x.smudge']) {
		expect(await told(() => set(setting, '+refs/*:refs/*'))).toEqual(['.git/config']);
	}

	expect(await told(() => set('--global', 'merge.own.driver', 'true'))).toEqual(['~/.gitconfig']);
});

test('hooks are told where the person’s settings lead', async () => {
	const {root, told, set} = await makeWatched();
	write(root, {'.husky/pre-commit': 'true\n'});
	expect(await told(() => set('core.hooksPath', '.husky'))).toEqual([
		'.git/config',
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
