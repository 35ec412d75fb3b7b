import {expect, test} from 'vitest';
import {isHarmless} from '../../src/git/settings/harmless.ts';
import {commitAll, git, makeRepository, script, write} from '../helpers/repository.ts';
import {makeWatched} from './watched-settings.ts';

test('a setting that can start a program is told with the file that it stands in', async () => {
	const {told, set} = await makeWatched();
	expect(await told(() => set('filter.x.smudge', 'tr a b'))).toEqual([
		'filter.x.smudge in .git/config',
	]);
	expect(await told(() => set('--global', 'merge.own.driver', 'true'))).toEqual([
		'merge.own.driver in ~/.gitconfig',
	]);
	expect(await told(() => set('filter.x.smudge', 'tr a c'))).toEqual([
		'filter.x.smudge in .git/config',
	]);
	expect(await told(() => set('--unset', 'filter.x.smudge'))).toEqual([
		'filter.x.smudge (removed)',
	]);
});

test('hooks and attributes are told by their names', async () => {
	const {root, told, hook} = await makeWatched();
	expect(await told(() => script(hook('pre-push'), 'exit 0'))).toEqual(['.git/hooks/pre-push']);
	expect(await told(() => write(root, {'.git/info/attributes': '* filter=x\n'}))).toEqual([
		'.git/info/attributes',
	]);
});

test('what a person and their tools do every day is not told', async () => {
	const {root, told, hook, set} = await makeWatched();
	const origin = makeRepository();
	const daily = [
		() => set('user.name', 'Ada Byron'),
		() => set('--global', 'color.ui', 'never'),
		() => git(root, 'remote', 'add', 'origin', origin),
		() => git(root, 'fetch', '--quiet', 'origin'),
		() => git(root, 'checkout', '--quiet', '-b', 'topic', '--track', 'origin/main'),
		() => commitAll(root, 'theirs'),
		() => git(root, 'gc', '--quiet'),
		() => git(root, 'stash', 'list'),
		() => write(root, {'.git/info/exclude': '*.tmp\n'}),
		() => script(hook('pre-commit.sample'), 'exit 0'),
	];
	expect(await told(() => daily.map(act => act()))).toEqual([]);
});

test('only what is known to be harmless is', () => {
	const counts = [
		'core.fsmonitor',
		'core.attributesfile',
		'remote.origin.uploadpack',
		'branch.main.mergeoptions',
		'branch.url',
		'lfs.extension.x.clean',
		'submodule.x.update',
		'toString',
		'constructor.name',
		'',
	];
	expect(counts.filter(isHarmless)).toEqual([]);
	const harmless = [
		'user.name',
		'branch.a.b.merge',
		'remote.origin.url',
		'lfs.https://x.y/.access',
	];
	expect(harmless.filter(key => !isHarmless(key))).toEqual([]);
});
