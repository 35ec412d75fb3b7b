import {expect, test} from 'vitest';
import {workspacePackages} from '../../../src/git/tree/packages.ts';

/** Reads the workspaces of a repository that holds these files. */
const packagesOf = (files: Readonly<Record<string, string>>) =>
	workspacePackages({
		read: async paths => new Map(Object.entries(files).filter(([path]) => paths.includes(path))),
		folders: async folder => {
			const start = folder === '' ? '' : `${folder}/`;
			const below = Object.keys(files)
				.filter(path => path.startsWith(start) && path.includes('/', start.length))
				.map(path => path.slice(0, path.indexOf('/', start.length)));
			return [...new Set(below)];
		},
	});

const named = async (files: Readonly<Record<string, string>>) =>
	(await packagesOf(files)).map(({of, name, folder}) => `${of} ${name} ${folder}`);

test('members are found by globs, in folders of folders, and without those that are left out', async () => {
	const json = (name: string) => JSON.stringify({name});
	const files = {
		'package.json': '{"name": "top", "workspaces": ["packages/**", "apps/w*b", "!packages/old"]}',
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
