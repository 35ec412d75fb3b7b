import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {whatRuns} from '../../src/rules/runs-by-itself.ts';

describe('a change makes something run', () => {
	test.each([
		['.delegate-tui.yaml', 'delegate-tui'],
		['.github/workflows/ci.yml', 'CI'],
		['.github', 'CI'],
		['.gitlab-ci.yml', 'CI'],
		['.circleci/config.yml', 'CI'],
		['Jenkinsfile', 'CI'],
		['.husky/pre-commit', 'git and its hooks'],
		['.pre-commit-config.yaml', 'git and its hooks'],
		['lefthook.yml', 'git and its hooks'],
		['lefthook-local.toml', 'git and its hooks'],
		['.gitattributes', 'git and its hooks'],
		['.gitmodules', 'git and its hooks'],
		['.claude/settings.json', 'editors and agents'],
		['.cursor/rules/a.mdc', 'editors and agents'],
		['.qwen/settings.json', 'editors and agents'],
		['.agents/skills/a/SKILL.md', 'editors and agents'],
		['.vscode/tasks.json', 'editors and agents'],
		['.mcp.json', 'editors and agents'],
		['AGENTS.md', 'editors and agents'],
		['web/CLAUDE.md', 'editors and agents'],
		['GEMINI.md', 'editors and agents'],
		['.helix/languages.toml', 'editors and agents'],
		['.simple-git-hooks.json', 'git and its hooks'],
		['.goreleaser.yml', 'CI'],
		['.taskcluster.yml', 'CI'],
		['.Rprofile', 'shells and their tools'],
		['.ghci', 'shells and their tools'],
		['.rvmrc', 'shells and their tools'],
		['.gdbinit', 'shells and their tools'],
		['native/binding.gyp', 'packages and scripts of Node.js'],
		['.pylintrc', 'packages and builds of Python'],
		['conanfile.py', 'packages and builds'],
		['lib/BUILD', 'packages and builds'],
		['hie.yaml', 'packages and builds'],
		['lib/dune', 'packages and builds'],
		['project.clj', 'packages and builds of the JVM'],
		['.coveragerc', 'packages and builds of Python'],
		['.golangci.yml', 'what tests, builds and linters load'],
		['webpack.config.babel.js', 'what tests, builds and linters load'],
		['.envrc', 'shells and their tools'],
		['.devcontainer/devcontainer.json', 'containers'],
		['Dockerfile', 'containers'],
		['Dockerfile.dev', 'containers'],
		['api.dockerfile', 'containers'],
		['docker-compose.override.yml', 'containers'],
		['compose.yaml', 'containers'],
		['package.json', 'packages and scripts of Node.js'],
		['package-lock.json', 'packages and scripts of Node.js'],
		['pnpm-lock.yaml', 'packages and scripts of Node.js'],
		['bun.lockb', 'packages and scripts of Node.js'],
		['.npmrc', 'packages and scripts of Node.js'],
		['.yarnrc.yml', 'packages and scripts of Node.js'],
		['.yarn/releases/yarn-4.cjs', 'packages and scripts of Node.js'],
		['.pnpmfile.cjs', 'packages and scripts of Node.js'],
		['setup.py', 'packages and builds of Python'],
		['conftest.py', 'packages and builds of Python'],
		['pyproject.toml', 'packages and builds of Python'],
		['requirements-dev.txt', 'packages and builds of Python'],
		['build.rs', 'packages and builds of Rust'],
		['Cargo.toml', 'packages and builds of Rust'],
		['build.gradle', 'packages and builds of the JVM'],
		['settings.gradle.kts', 'packages and builds of the JVM'],
		['Gemfile.lock', 'packages and builds of Ruby'],
		['App.csproj', 'packages and builds of .NET'],
		['go.mod', 'packages and builds'],
		['Makefile', 'packages and builds'],
		['justfile', 'packages and builds'],
		['vite.config.ts', 'what tests, builds and linters load'],
		['webpack.prod.config.js', 'what tests, builds and linters load'],
		['jest.config.mjs', 'what tests, builds and linters load'],
		['eslint.config.js', 'what tests, builds and linters load'],
		['.eslintrc.cjs', 'what tests, builds and linters load'],
	])('%s: %s', (path, what) => {
		expect(whatRuns(path)).toBe(what);
	});

	test('in any folder and in any case', () => {
		const step = fc.stringMatching(/^[^/]+$/);
		const name = fc.constantFrom(
			'package.json',
			'.husky/pre-commit',
			'.npmrc',
			'Makefile',
			'x.gradle',
		);
		const cased = name.chain(text =>
			fc
				.array(fc.boolean(), {minLength: text.length, maxLength: text.length})
				.map(upper =>
					[...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''),
				),
		);
		fc.assert(
			fc.property(fc.array(step), cased, (folders, found) => {
				expect(whatRuns([...folders, found].join('/'))).toBeDefined();
			}),
		);
	});

	test('under a name that only some file system takes for the same', () => {
		expect(whatRuns('src/.hu\u200csky/pre-commit')).toBe('git and its hooks');
		expect(whatRuns('pac\u212aage.json')).toBe('packages and scripts of Node.js');
	});
});

describe('a change makes nothing run', () => {
	test.each([
		'docs/claude-after.md',
		'docs/agents-tried.md',
		'mypackage.json',
		'package.json.md',
		'package.json/readme.md',
		'packagexjson',
		'src/husky/pre-commit',
		'.huskyx/pre-commit',
		'github/workflows/ci.yml',
		'docs/.gitignore',
		'src/config.ts',
		'myconfig.js',
		'gradle',
		'src/Dockerfiles/a.md',
		'tsconfig.json',
		'README.md',
		'src/index.ts',
		'line\nbreak',
		'',
	])('%j', path => {
		expect(whatRuns(path)).toBe(undefined);
	});

	test('by a letter more before or behind an exact name, in any folder', () => {
		const name = fc.constantFrom('package.json', '.npmrc', '.envrc', 'build.rs', 'conftest.py');
		const letter = fc.constantFrom('a', 'z', '_', '~');
		fc.assert(
			fc.property(name, letter, fc.boolean(), (found, more, isBefore) => {
				expect(whatRuns(`src/${isBefore ? more + found : found + more}`)).toBe(undefined);
			}),
		);
	});
});
