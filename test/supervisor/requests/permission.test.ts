import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {ruleOn} from '../../../src/supervisor/requests/permission.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

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
	it.each(['read', 'search', 'think'])('is allowed in its place when it is to %s', async kind => {
		const paths = [
			'src/a.ts',
			'readme.md',
			'.',
			'src/secret/key',
			'/usr/include',
			process.execPath,
		];
		expect(await rule(paths, readOnly, kind)).toEqual({kind: 'allow'});
		expect(await rule([], readOnly, kind)).toEqual({kind: 'allow'});
	});

	it.each(['/etc/hosts', '../other', join(homedir(), '.ssh/id_rsa'), 'src/out/x', '/usrx'])(
		'is for a person when it is to read %s',
		async path => {
			expect(await rule(['src/a.ts', path], scope, 'read')).toEqual({kind: 'ask'});
		},
	);

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
	const run = (command: string, paths: readonly string[] = []) =>
		ruleOn(scope, makeTree(), {kind: 'execute', paths, command});

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
			refused: [{what, why: 'it reaches another machine'}],
		});
	});

	it.each([
		['claude -p "do it"', 'claude'],
		['cd src && A=1 nohup ~/.local/bin/codex exec x', 'codex'],
		['bash -lc "timeout 60 npx -y @google/gemini-cli@1 -p x"', 'gemini-cli'],
		['sh -c "cd x && aider --yes"', 'aider'],
		['echo x; FOO=1 claude', 'claude'],
		['delegate-tui answer r-1 merge', 'delegate-tui answer'],
	])('%s starts another agent or decides, and is refused', async (command, what) => {
		expect(await run(command)).toEqual({
			kind: 'refuse',
			refused: [{what, why: 'no agent may start another one'}],
		});
	});

	it.each([
		'rg -l claude -- codex | xargs echo gemini',
		'delegate-tui help signals',
		'git commit -m "Name them; claude too\ncodex last"',
		'git commit -m "push it"',
		'git -C push status',
		'npm test',
		'node gh-pages.js',
		'rm -rf /',
	])('%s is for a person', async command => {
		expect(await run(command)).toEqual({kind: 'ask'});
	});

	it.each([
		'ls -la src',
		'cat src/a.ts',
		"rg -n 'a|b(c)$' src",
		'grep -rn "foo bar" .',
		'git status --short',
		'git log --oneline -5 HEAD~3..HEAD -- src',
		'git diff HEAD -- src/a.ts',
		"find . -name '*.ts' -newer src/a.ts",
		'head -n20 src/a.ts ',
		'pwd',
	])('%s only reads in the worktree and is allowed', async command => {
		expect(await run(command)).toEqual({kind: 'allow'});
	});

	it.each([
		'cat /etc/passwd',
		'cat ../x',
		'cat src/out/x',
		'cat ~/.ssh/id_rsa',
		'cat $HOME/x',
		'cat src/a.ts > b.txt',
		'cat src/a.ts | sh',
		'ls; rm -rf src',
		'ls && ls',
		'ls\nrm -rf src',
		'cat `id`',
		'cat "$(id)"',
		"cat 'src/a.ts'../../x",
		'/bin/cat src/a.ts',
		'FOO=1 cat src/a.ts',
		'find . -delete',
		"find . -exec 'rm'",
		'grep -f/etc/passwd x',
		'grep -R x .',
		'rg --pre=sh x',
		'rg -L x',
		'git diff --output=src/a.ts',
		'git diff --ext-diff',
		'git -c core.pager=sh log',
		'git checkout .',
		'git branch new',
		'diff -r src /etc',
		'constructor',
	])('%s may do more and is for a person', async command => {
		expect(await run(command)).toEqual({kind: 'ask'});
	});

	it('that only reads is for a person where it runs in another folder', async () => {
		expect(await run('ls', ['src'])).toEqual({kind: 'ask'});
		expect(await run('ls', ['.'])).toEqual({kind: 'allow'});
	});

	it('that is asked beside a write is never taken for one that reads', async () => {
		const wanted = {kind: 'execute', about: 'edit', paths: ['src/a.ts'], command: 'ls'};
		expect(await ruleOn(scope, makeTree(), wanted)).toEqual({kind: 'ask'});
	});

	it('of who may only read is for a person, too: to look around takes commands', async () => {
		const wanted = {kind: 'execute', paths: [], command: 'npm test'};
		expect(await ruleOn(readOnly, '/', wanted)).toEqual({kind: 'ask'});
	});
});
