import {mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {requireInScope} from '../../../src/supervisor/merging/fit-result.ts';
import {ruleOn} from '../../../src/supervisor/requests/permission.ts';
import {judgeChanges} from '../../../src/supervisor/worktree/judge.ts';
import {makeWorld} from '../../git/world.ts';
import {subtask} from '../../helpers/plan.ts';
import {commitAll, git, write} from '../../helpers/repository.ts';

test('every change between two trees is inside, outside for a reason, or private', async () => {
	const {root, store, base} = await makeWorld({'src/gone.txt': 'gone\n', 'lib/gone.txt': 'gone\n'});
	rmSync(join(root, 'src/gone.txt'));
	rmSync(join(root, 'lib/gone.txt'));
	write(root, {
		...{'src/new.txt': 'new\n', 'lib/new.txt': 'new\n', '.delegate/notes.txt': 'private\n'},
		...{'src/secret/key.txt': 'key\n', '.claude/settings.json': '{}\n'},
	});
	mkdirSync(join(root, 'src/links'));
	for (const [name, goal] of [
		['near', '../new.txt'],
		['up', '../../lib/new.txt'],
		['..hidden', '../../..hidden'],
		['parent', '../../..'],
		['sibling', '../../../sibling'],
		['absolute', '/etc/hosts'],
	] as const) {
		symlinkSync(goal, join(root, 'src/links', name));
	}

	git(root, 'update-index', '--add', '--cacheinfo', `160000,${base},src/inner`);
	mkdirSync(join(root, 'src/inner'));
	const scope = {allowed: ['src/**'], forbidden: ['src/secret']};
	const {inside, outside} = await judgeChanges(store, scope, base, commitAll(root));
	expect(inside.map(({path}) => path)).toEqual([
		'src/gone.txt',
		'src/links/..hidden',
		'src/links/near',
		'src/links/up',
		'src/new.txt',
	]);
	expect(outside.map(({change, why}) => [change.path, why])).toEqual([
		['.claude/settings.json', 'global'],
		['lib/gone.txt', 'not allowed'],
		['lib/new.txt', 'not allowed'],
		['src/inner', 'a repository inside the repository'],
		['src/links/absolute', 'a link that leads out of the worktree'],
		['src/links/parent', 'a link that leads out of the worktree'],
		['src/links/sibling', 'a link that leads out of the worktree'],
		['src/secret/key.txt', 'forbidden'],
	]);
});

test.for([
	['src/a.txt', undefined],
	['lib/a.txt', 'not allowed'],
	['SRC/a.txt', 'not allowed'],
	['src/Secret/key.txt', 'forbidden'],
	['docs/logs/a.txt', 'global'],
	['.Claude/settings.json', 'global'],
] as const)(
	'%s gets one verdict where it is asked for, seen and pinned, and merged: %s',
	async ([path, verdict]) => {
		const {root, store, base} = await makeWorld();
		const scope = {allowed: ['src/**'], forbidden: ['src/secret']};
		const asked = await ruleOn(scope, root, {kind: 'edit', paths: [path]});
		expect(asked.kind === 'refuse' ? asked.refused[0]?.why : undefined).toBe(verdict);

		write(root, {[path]: 'new\n'});
		const {outside} = await judgeChanges(store, scope, base, commitAll(root));
		expect(outside[0]?.why).toBe(verdict);

		const agents = [{subtask: subtask('AGT-001', {scope})}];
		const merged = () => requireInScope([{path}], agents, {resolutions: []});
		(verdict === undefined ? expect(merged).not : expect(merged)).toThrow(
			`in no agent’s scope: ${verdict ?? ''}`,
		);
	},
);

/** Judges what changes of these files and links make of a tree with `given`, all of it in scope. */
const judgeLinks = async (
	given: Readonly<Record<string, string>>,
	change: (root: string) => void,
) => {
	const {root, store} = await makeWorld({'src/a/b/file': 'file\n', 'readme.md': 'hello\n'});
	for (const [path, goal] of Object.entries(given)) {
		symlinkSync(goal, join(root, path));
	}

	const base = commitAll(root);
	change(root);
	const everything = {allowed: ['**'], forbidden: []};
	const {inside, outside} = await judgeChanges(store, everything, base, commitAll(root));
	return {
		inside: inside.map(({path}) => path),
		outside: outside.map(({change, why}) => [change.path, why]),
	};
};

const out = 'a link that leads out of the worktree';

test('a link is judged by where others lead it, and only that which leads out is reverted', async () => {
	const judged = await judgeLinks({}, root => {
		symlinkSync('../../..', join(root, 'src/a/b/up'));
		symlinkSync('up/../secret.txt', join(root, 'src/a/b/out'));
		symlinkSync('../.git/hooks/pre-commit', join(root, 'src/hook'));
		symlinkSync('nothing/../x', join(root, 'src/riddle'));
	});
	expect(judged).toEqual({
		inside: ['src/a/b/up'],
		outside: [
			['src/a/b/out', out],
			['src/hook', 'a link that leads into a git dir'],
			['src/riddle', 'a link whose target can’t be resolved'],
		],
	});
});

test('what makes a link of the person’s lead out is reverted; one that leads out anyway is theirs', async () => {
	const given = {'src/theirs': '/usr/share', 'src/old': 'a/b/../../../readme.md'};
	const judged = await judgeLinks(given, root => {
		rmSync(join(root, 'src/a/b'), {recursive: true});
		symlinkSync('../..', join(root, 'src/a/b'));
		write(root, {'src/new.txt': 'new\n'});
	});
	expect(judged).toEqual({
		inside: ['src/new.txt'],
		outside: [
			['src/a/b', `it makes src/old ${out}`],
			['src/a/b/file', `it makes src/old ${out}`],
		],
	});
});

test('a link whose goal was out of scope is judged without it', async () => {
	const {root, store} = await makeWorld({'lib/deep/file': 'file\n'});
	const base = commitAll(root);
	write(root, {'lib/far/away/file': 'far\n', 'src/keep': 'keep\n'});
	symlinkSync('../lib/far/away/../../../readme.md', join(root, 'src/link'));
	const scope = {allowed: ['src/**'], forbidden: []};
	const {outside} = await judgeChanges(store, scope, base, commitAll(root));
	expect(outside.map(({change}) => change.path)).toEqual(['lib/far/away/file', 'src/link']);
});

test('a new name with a backslash is reverted', async () => {
	const judged = await judgeLinks({}, root => write(root, {'src\\..\\x': 'x\n', 'src/y': 'y\n'}));
	expect(judged).toEqual({
		inside: ['src/y'],
		outside: [['src\\..\\x', 'a name that other systems read as a path']],
	});
});
