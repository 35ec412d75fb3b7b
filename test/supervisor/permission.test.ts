import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {ruleOn} from '../../src/supervisor/requests/permission.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const scope = {allowed: ['src/**'], forbidden: ['src/secret/**']};
const readOnly = {allowed: [], forbidden: []};

/** A worktree with a folder, and links out of it and through it. */
const makeTree = (): string => {
	const tree = temporaryFolder();
	const outside = temporaryFolder();
	mkdirSync(join(tree, 'src/secret'), {recursive: true});
	writeFileSync(join(tree, 'src/a.ts'), '');
	symlinkSync(outside, join(tree, 'src/out'));
	symlinkSync(join(outside, 'not-there-yet'), join(tree, 'src/dangling'));
	symlinkSync('secret', join(tree, 'src/inner'));
	symlinkSync('loop', join(tree, 'src/loop'));
	symlinkSync('src', join(tree, 'alias'));
	return tree;
};

const rule = (paths: readonly string[], of = scope, kind = 'edit') =>
	ruleOn(of, makeTree(), {kind, paths});

const why = async (path: string, of = scope) => {
	const verdict = await rule([path], of);
	return verdict.kind === 'refuse' ? verdict.refused[0]?.why : verdict.kind;
};

describe('a write', () => {
	it.each(['src/a.ts', 'src/new/deep/b.ts', './src/../src/a.ts', 'alias/a.ts', '.delegate/notes'])(
		'to %s lands in the scope and is allowed',
		async path => {
			expect(await why(path)).toBe('allow');
		},
	);

	it('is judged by where its absolute path lands', async () => {
		const tree = makeTree();
		const wanted = {kind: 'edit', paths: [join(tree, 'src/a.ts')]};
		expect(await ruleOn(scope, tree, wanted)).toEqual({kind: 'allow'});
	});

	it.each([
		['readme.md', 'not allowed'],
		['src/secret/key', 'forbidden'],
		['src/inner/key', 'forbidden'],
		['docs/logs/x.md', 'global'],
		['.git/hooks/post-commit', 'global'],
		['../elsewhere', 'not in its worktree'],
		['/etc/passwd', 'not in its worktree'],
		['src/out/x', 'not in its worktree'],
		['src/dangling', 'not in its worktree'],
		['.', 'not in its worktree'],
	])('to %s is refused: %s', async (path, reason) => {
		expect(await why(path)).toBe(reason);
	});

	it('through links that lead in a circle is decided all the same', async () => {
		expect(await why('src/loop/x')).toBe('allow');
	});

	it('of several paths is refused when one of them is outside', async () => {
		expect(await rule(['src/a.ts', 'b.ts', 'src/c.ts', 'd.ts'])).toEqual({
			kind: 'refuse',
			refused: [
				{what: 'b.ts', why: 'not allowed'},
				{what: 'd.ts', why: 'not allowed'},
			],
		});
	});

	it.each(['edit', 'delete', 'move'])(
		'of the kind %s is refused to who may only read',
		async kind => {
			expect((await rule(['src/a.ts'], readOnly, kind)).kind).toBe('refuse');
			expect((await rule([], readOnly, kind)).kind).toBe('refuse');
		},
	);

	it('that names no path is for a person', async () => {
		expect(await rule([])).toEqual({kind: 'ask'});
	});
});

describe('what is no write', () => {
	it.each(['read', 'search', 'think'])('is allowed when it is to %s', async kind => {
		expect(await rule(['/etc/hosts'], readOnly, kind)).toEqual({kind: 'allow'});
	});

	it.each(['execute', 'fetch', 'switch_mode', 'other'])(
		'is for a person when it is to %s',
		async kind => {
			expect(await rule(['src/a.ts'], scope, kind)).toEqual({kind: 'ask'});
		},
	);
});

describe('what is asked about a write without being one', () => {
	const ask = (paths: readonly string[], kind = 'other', of = scope) =>
		ruleOn(of, makeTree(), {kind, about: 'edit', paths});

	it.each(['other', 'execute'])('is refused where the write would be: %s', async kind => {
		expect(await ask(['/elsewhere/a.txt', '/elsewhere'], kind)).toEqual({
			kind: 'refuse',
			refused: [{what: '/elsewhere/a.txt', why: 'not in its worktree'}],
		});
		expect(await ask(['readme.md', '/a', '/b'], kind)).toMatchObject({
			refused: [{what: 'readme.md'}, {what: '/a'}, {what: '/b'}],
		});
		expect((await ask([], kind, readOnly)).kind).toBe('refuse');
	});

	it.each(['other', 'execute'])('is for a person where the write is allowed: %s', async kind => {
		expect(await ask(['src/a.ts'], kind)).toEqual({kind: 'ask'});
		expect(await ask([], kind)).toEqual({kind: 'ask'});
	});

	it('is for a person where the tool only reads or runs', async () => {
		for (const about of ['read', 'execute']) {
			const wanted = {kind: 'other', about, paths: ['/elsewhere']};
			expect(await ruleOn(scope, makeTree(), wanted)).toEqual({kind: 'ask'});
		}
	});
});

describe('a command', () => {
	const run = (command: string) => ruleOn(scope, '/', {kind: 'execute', paths: [], command});

	it.each([
		['git push', 'git push'],
		['cd x && /usr/bin/git -C . -c a=b --no-pager push origin HEAD:main', 'git push'],
		['bash -lc "git pull --rebase"', 'git pull'],
		['echo $(git ls-remote)', 'git ls-remote'],
		['git status; git fetch', 'git fetch'],
		['gh pr create', 'gh'],
	])('%s reaches other machines and is refused', async (command, what) => {
		expect(await run(command)).toEqual({
			kind: 'refuse',
			refused: [{what, why: 'it reaches beyond this machine'}],
		});
	});

	it.each([
		'git commit -m "push it"',
		'git -C push status',
		'npm test',
		'echo gh-pages',
		'rm -rf /',
	])('%s is for a person', async command => {
		expect(await run(command)).toEqual({kind: 'ask'});
	});

	it('of who may only read is for a person, too: to look around takes commands', async () => {
		const wanted = {kind: 'execute', paths: [], command: 'npm test'};
		expect(await ruleOn(readOnly, '/', wanted)).toEqual({kind: 'ask'});
	});
});
