import type {SurfaceChange} from '../events/finding.ts';
import type {Plan} from '../events/plan.ts';
import {foldName} from '../lib/text/words.ts';

/**
Names of files and folders that make a program run without being started by a person: on install, on opening a folder, on commit, build or test, or in CI.

A name counts at any depth, a trailing `/` means a folder with all its files, and `*` stands for any characters. When in doubt a name is listed: a needless one costs a glance.
*/
const table: Readonly<Record<string, string>> = {
	'delegate-tui': '.delegate-tui.yaml',

	CI: `
		.github/ .gitlab/ .gitlab-ci* .circleci/ .buildkite/ .forgejo/ .gitea/ .woodpecker/ .woodpecker*
		Jenkinsfile* *.jenkinsfile .travis.yml appveyor.yml .appveyor.yml .cirrus.* .drone.* .ci/
		azure-pipelines* .azure-pipelines/ .azuredevops/ bitbucket-pipelines.yml buildspec*.yml
		cloudbuild* .taskcluster.yml .goreleaser.y* .semaphore/ .teamcity/ .builds/ .build.yml codemagic.yaml bitrise.yml netlify.toml
		vercel.json renovate.json* .renovaterc*
	`,

	'git and its hooks': `
		.husky/ .huskyrc* .githooks/ .git-hooks/ .pre-commit-config.* .pre-commit-hooks.* .lefthook/
		.lefthook* lefthook* .overcommit.yml .simple-git-hooks.* simple-git-hooks.* .lintstagedrc* .commitlintrc*
		.gitattributes .gitmodules .gitconfig .lfsconfig
	`,

	'editors and agents': `
		.vscode/ .idea/ .zed/ .fleet/ *.code-workspace .exrc .vimrc .nvimrc .nvim.lua .dir-locals*.el
		.claude/ .codex/ .cursor/ .gemini/ .opencode/ .qwen/ .agents/ .windsurf/ .continue/ .roo/ .kiro/ .amazonq/
		.aider* .mcp.json mcp.json opencode.json* .helix/ AGENTS.md AGENTS.override.md CLAUDE.md
		CLAUDE.local.md GEMINI.md QWEN.md .cursorrules .windsurfrules .clinerules*
	`,

	'shells and their tools': `
		.envrc .env .env.local .tool-versions .mise/ mise*.toml .mise*.toml .rvmrc .gdbinit .lldbinit .ghci
		.Rprofile .irbrc .pryrc .pythonrc* .sqliterc .psqlrc
	`,

	containers: `
		.devcontainer/ .devcontainer.json Dockerfile* *.dockerfile Containerfile* docker-compose*
		compose*.yml compose*.yaml docker-bake* Vagrantfile Tiltfile skaffold.yaml Procfile .gitpod*
		devbox.json devenv.* flake.nix flake.lock shell.nix default.nix
	`,

	'packages and scripts of Node.js': `
		package.json package-lock.json npm-shrinkwrap.json .npmrc yarn.lock .yarnrc* .yarn/ .pnp.*
		pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.* pnpmfile.* bun.lock* bunfig.toml deno.json*
		deno.lock lerna.json nx.json turbo.json rush.json nodemon.json binding.gyp
	`,

	'packages and builds of Python': `
		setup.py setup.cfg pyproject.toml conftest.py pytest.ini tox.ini noxfile.py hatch.toml pip.conf
		requirements*.txt requirements*.in constraints*.txt Pipfile* poetry.lock pdm.lock uv.lock
		uv.toml .pylintrc pylintrc *.pth sitecustomize.py usercustomize.py .coveragerc manage.py
	`,

	'packages and builds of Rust': 'build.rs Cargo.toml Cargo.lock .cargo/ rust-toolchain*',

	'packages and builds of the JVM': `
		*.gradle *.gradle.kts gradle.properties gradle-wrapper.* libs.versions.toml gradlew* buildSrc/
		pom.xml .mvn/ mvnw* build.xml *.sbt project.clj deps.edn bb.edn shadow-cljs.edn
	`,

	'packages and builds of Ruby': `
		Gemfile* gems.rb *.gemspec Rakefile *.rake .rspec Guardfile Podfile* *.podspec Fastfile Dangerfile
		Capfile Brewfile
	`,

	'packages and builds of .NET': `
		*.csproj *.fsproj *.vbproj *.vcxproj *.sln *.slnx Directory.*.props Directory.*.targets
		nuget.config packages.lock.json
	`,

	'packages and builds': `
		composer.json composer.lock go.mod go.sum go.work go.work.sum Package.swift Package.resolved
		conanfile.* mix.exs mix.lock rebar.config build.zig* pubspec.*
		Makefile* GNUmakefile *.mk justfile .justfile *.just Taskfile* CMakeLists.txt CMakePresets.json
		*.cmake meson.build configure configure.ac autogen.sh SConstruct SConscript Snakefile BUILD BUILD.bazel
		WORKSPACE WORKSPACE.bazel MODULE.bazel *.bzl .bazelrc Earthfile magefile.go
		*.cabal cabal.project* stack.yaml hie.yaml dune dune-project .ocamlinit Makefile.PL Build.PL cpanfile
	`,

	'what tests, builds and linters load': `
		*.config.*.js *.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts *.conf.js *.conf.cjs
		*.conf.mjs *.conf.ts vitest.workspace.* *.setup.js *.setup.ts .storybook/ angular.json wrangler.*
		.eslintrc* .babelrc* .prettierrc* .stylelintrc* .postcssrc* .mocharc* .swcrc .nycrc* .releaserc*
		Gruntfile* Gulpfile* Jakefile* phpunit.xml* phpstan.neon* .rubocop.yml .golangci.* .php-cs-fixer*
	`,
};

/**
Returns a short description of the program that a change to a path makes run; nothing for most paths.

Names are compared as the most tolerant file system does: ignoring case and the encoding of accents.
*/
export const whatRuns = (path: string): string | undefined => {
	const steps = foldName(path).split('/');
	const names = [...steps.map(step => `${step}/`), steps.at(-1) ?? ''];
	return kinds.find(({fits}) => names.some(name => fits.test(name)))?.what;
};

const patternOf = (name: string): string =>
	name.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');

const kinds = Object.entries(table).map(([what, text]) => {
	const names = foldName(text).trim().split(/\s+/);
	return {what, fits: new RegExp(`^(?:${names.map(patternOf).join('|')})$`)};
});

/** Commands that the supervisor runs for a plan. */
export type PlanCommands = Pick<Plan, 'setup' | 'verify' | 'check'>;

/**
Returns whether a command of the plan names a path, so that a change to it changes the command.

A word that looks like a path counts in any folder, since the command may change folders first; any other only if it is the whole path. When in doubt a path counts.
*/
const isNamedByCommands = ({setup, verify, check = []}: PlanCommands, path: string): boolean => {
	const name = foldName(path);
	return [...setup, ...verify, ...check].some(command => wordsOf(command).some(isNameOf(name)));
};

/** Splits commands into words at quotes, shell operators and options with a value. */
const wordsOf = (command: string): readonly string[] =>
	foldName(command)
		.split(/[\s"'`;&|()<>={},]+/)
		.map(word => word.replace(/^(?:\.\/)+/, ''))
		.filter(Boolean);

const isNameOf = (path: string) => (word: string) =>
	path === word || (/[./]/.test(word) && path.endsWith(`/${word.replace(/^(?:\.\.\/)+/, '')}`));

/** A change of a path's mode; `undefined` for a missing file. */
export type ModeChange = {
	readonly path: string;
	readonly before: string | undefined;
	readonly after: string | undefined;
};

/** Kinds of surface change; the destination of a link is in its blob. */
export type Surfacing =
	| {readonly as: 'runs'; readonly what: string}
	| {readonly as: Exclude<SurfaceChange['as'], 'runs'>};

/**
Returns the ways in which a change does more than change a text: a program runs by itself, or a path leads elsewhere.

Empty for most changes; a link with the name of a file that runs by itself is both.
*/
export const surfacings = (
	{path, before, after}: ModeChange,
	commands: PlanCommands,
): readonly Surfacing[] => {
	const runs =
		whatRuns(path) ??
		(isNamedByCommands(commands, path) ? named : undefined) ??
		(after === executable && before !== executable ? started : undefined);
	const leads = after === undefined ? undefined : leading[after];
	return [
		...(runs === undefined ? [] : [{as: 'runs', what: runs} as const]),
		...(leads === undefined ? [] : [{as: leads}]),
	];
};

const executable = '100755';
const started = 'made executable';
const named = 'what setup or verify of the plan names';

const leading: Readonly<Record<string, 'link' | 'submodule'>> = {
	'120000': 'link',
	'160000': 'submodule',
};
