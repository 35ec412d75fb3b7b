import {join} from 'node:path';
import {expect, test} from 'vitest';
import {packagesIn} from '../../../src/git/tree/packages.ts';
import {type Files, makeRepository} from '../../helpers/repository.ts';

const packagesOf = (files: Files) =>
	packagesIn({gitDir: join(makeRepository(files), '.git')}, 'HEAD');

const named = async (files: Files) =>
	(await packagesOf(files)).map(({of, name, folder}) => `${of} ${name} ${folder}`);

test('members are found by globs, in folders of folders, and without those that are left out', async () => {
	const json = (name: string) => JSON.stringify({name});
	const files = {
		'package.json':
			'{"name": "top", "workspaces": [".", "packages/**", "apps/w*b", "!packages/old"]}',
		'packages/a/package.json': json('a'),
		'packages/deep/er/package.json': json('@top/er'),
		'packages/old/package.json': json('old'),
		'packages/a/node_modules/x/package.json': json('x'),
		'apps/web/package.json': json('web'),
		'apps/api/package.json': json('api'),
		'apps/wxb/package.json': 'no JSON',
	};
	expect(await named(files)).toEqual([
		'npm top ',
		'npm a packages/a',
		'npm @top/er packages/deep/er',
		'npm web apps/web',
	]);
	expect(await named({...files, 'package.json': '{"name": "top"}'})).toEqual([]);
});

test.each([
	[
		'pnpm',
		{'pnpm-workspace.yaml': "packages: ['libs/*']\n", 'libs/a/package.json': '{"name": "a"}'},
	],
	[
		'pnpm',
		{
			'pnpm-workspace.yaml': 'packages:\r\n- libs/a\r\nx: 1',
			'libs/a/package.json': '{"name": "a"}',
		},
	],
	[
		'pnpm',
		{
			'pnpm-workspace.yaml': "packages: ['{libs,apps}/*']\n",
			'libs/a/package.json': '{"name": "a"}',
		},
	],
	[
		'cargo',
		{
			'Cargo.toml': '[package]\nedition = "2024"\n[workspace]\nmembers = ["libs/a"]\n',
			'libs/a/Cargo.toml': '[package]\nname = "a"',
		},
	],
	['go', {'go.work': 'go 1.24\nuse ./libs/a\n', 'libs/a/go.mod': 'module a\n'}],
	[
		'uv',
		{
			'pyproject.toml': "[tool.uv.workspace]\nmembers = ['libs/*']",
			'libs/a/pyproject.toml': "[project]\nname = 'a'",
		},
	],
])('the workspace of %s is read from what it says at the root', async (of, files) => {
	expect(await named(files)).toEqual([`${of} a libs/a`]);
});

test('members of cargo are also packages that the root depends on by path, and none lies below what is left out', async () => {
	const crate = (name: string) => `[package]\nname = "${name}"\n`;
	const files = {
		'Cargo.toml': `${crate('top')}
[dependencies]
near = { path = "near", version = "1" }
far = { path = "../far" }

[lib]
path = "src/lib.rs"

[workspace] # of all
members = [
  "crates/*", # each
]
exclude = ["crates/old"]
`,
		'near/Cargo.toml': crate('near'),
		'crates/a/Cargo.toml': crate('a'),
		'crates/old/Cargo.toml': crate('old'),
		'crates/old/inner/Cargo.toml': crate('inner'),
		'src/lib.rs': '',
	};
	expect((await named(files)).toSorted()).toEqual([
		'cargo a crates/a',
		'cargo near near',
		'cargo top ',
	]);
	const alone = `${crate('top')}[dependencies]\nnear = { path = "near" }\n`;
	expect(await named({...files, 'Cargo.toml': alone})).toEqual([]);
	expect(await named({...files, 'Cargo.toml': `${alone}[workspace]\n`})).toEqual([
		...['cargo top ', 'cargo near near'],
	]);
});

test('members of uv are left out by globs', async () => {
	const project = (name: string) => `[project]\nname = "${name}"\n`;
	const workspace = '[tool.uv.workspace]\nmembers = ["packages/*"]\nexclude = ["packages/old-*"]\n';
	expect(
		await named({
			'pyproject.toml': `${project('top')}${workspace}`,
			'packages/a/pyproject.toml': project('a'),
			'packages/old-a/pyproject.toml': project('old'),
		}),
	).toEqual(['uv top ', 'uv a packages/a']);
});

test.each([
	['blanks in a member line', 'pnpm-workspace.yaml', `packages:\n  - a${' '.repeat(3000)}b"c\n`],
	['open lists of YAML', 'pnpm-workspace.yaml', `packages: ${'['.repeat(100_000)}`],
	['stars', 'package.json', JSON.stringify({workspaces: ['apps/*a*a*a*a*a*b']})],
	[
		'braces',
		'package.json',
		JSON.stringify({
			workspaces: Array.from({length: 5000}, (_, at) => `**/${'{a,b}'.repeat(6)}*a*b*${at}`),
		}),
	],
	['open lists of Go', 'go.work', 'use (\n'.repeat(40_000)],
	['open lists of TOML', 'Cargo.toml', `[workspace]\n${'members = [\n'.repeat(20_000)}`],
	[
		'lists in lists',
		'package.json',
		`{"workspaces": ${'['.repeat(20_000)}"apps/*"${']'.repeat(20_000)}}`,
	],
])('%s in a manifest take no more than ten seconds of the processor', async (_, root, text) => {
	const start = process.threadCpuUsage();
	expect(await named({[root]: text, [`apps/${'a'.repeat(100)}/package.json`]: '{}'})).toEqual([]);
	const {user, system} = process.threadCpuUsage(start);
	expect(user + system).toBeLessThan(10_000_000);
});

test('a member outside the repository is left out', async () => {
	const modules = {'a/go.mod': 'module a\n', 'go.work': 'use (\n\t./a\n\t../other\n\t/b\n)\n'};
	expect(await named(modules)).toEqual(['go a a']);
});

test('a manifest that is too big says nothing, nor does a strange glob, and a tree that git can’t read has no packages', async () => {
	const top = {name: 'top', workspaces: ['a']};
	const files = {'a/package.json': '{"name": "a"}', 'package.json': JSON.stringify(top)};
	expect(await named(files)).toEqual(['npm top ', 'npm a a']);
	const big = JSON.stringify({name: 'a', description: 'x'.repeat(300_000)});
	expect(await named({...files, 'a/package.json': big})).toEqual(['npm top ']);
	const strange = JSON.stringify({...top, workspaces: ['a', 'b\0', '{a', '***']});
	expect(await named({...files, 'package.json': strange})).toEqual(['npm top ', 'npm a a']);
	expect(await packagesIn({gitDir: join(makeRepository(files), '.git')}, 'gone')).toEqual([]);
});
