import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {builtIn} from '../../src/agents/profiles/profiles.ts';
import {loadConfig} from '../../src/cli/config/load.ts';
import {temporaryFolder} from '../helpers/repository.ts';

type Files = {
	readonly user?: string | Uint8Array;
	readonly repository?: string | Uint8Array;
};

/** Writes real config files and loads them; files in problems and sources are named by whose they are. */
const load = async ({user, repository}: Files) => {
	const folder = temporaryFolder();
	const files = {
		user: join(folder, 'home', '.config', 'config.yaml'),
		repository: join(folder, 'project', '.delegate-tui.yaml'),
	};
	for (const [file, text] of [
		[files.user, user],
		[files.repository, repository],
	] as const) {
		mkdirSync(dirname(file), {recursive: true});
		if (text !== undefined) {
			writeFileSync(file, text);
		}
	}

	const loaded = await loadConfig(dirname(files.repository), {
		userFolder: dirname(files.user),
		userHome: '/home/ada',
	});
	const whose = (file: string) => (file === files.user ? 'user' : 'repository');
	return {
		config: loaded.config,
		sources: loaded.config && loaded.sources.map(({file, keys}) => [whose(file), ...keys]),
		problems: loaded.problems.map(
			({file, line, column, message}) => `${whose(file)}:${line}:${column} ${message}`,
		),
	};
};

const defaults = {
	agents: builtIn,
	limits: {
		parallel: 3,
		timeout: 3_600_000,
		files: 20,
		depth: 3,
		checkpoint: 1_800_000,
		retries: [15_000, 60_000, 300_000, 900_000],
	},
	questions: {quick: 300_000, home: '/home/ada/.claude'},
	notify: {desktop: true, bell: true, terminal: true, title: true},
	check: [],
	supervision: {},
	web: {approve: false},
	tests: {at: 'claim'},
	types: {},
	docs: true,
	merge: 'squash',
	planner: 'claude',
	sandbox: {mode: 'auto', network: 'open'},
	allow: {},
	keys: {},
	theme: 'auto',
	colors: {},
	mouse: true,
};

describe('a config', () => {
	test('is all defaults where no file exists', async () => {
		expect(await load({})).toEqual({config: defaults, sources: [], problems: []});
	});

	test.each(['', '# agents:\n', '{}'])(
		'is all defaults where a file says nothing: %j',
		async user => {
			const {config, sources} = await load({user});
			expect(config).toEqual(defaults);
			expect(sources).toEqual([['user']]);
		},
	);

	test('can set everything', async () => {
		const {config, sources} = await load({
			user: `
agents:
  mine: {protocol: text, command: [mine, --fast], reply: stdin, env: {TOKEN: secret}}
limits: {parallel: 2, timeout: 2h, files: 50, depth: 5, checkpoint: 10min, stagger: 2s, retries: [1s, 1min], checks: 2}
questions: {quick: 0, home: ~/questions}
notify: {desktop: false, bell: false, terminal: false, title: false, kinds: [question, ended]}
supervision: {checkpoint: go, scope: stop}
planner: mine
web: {approve: true}
docs: false
merge: per-agent
trailers: ['Reviewed-by: Ada']
sandbox: required
allow: {read: [~/.npmrc]}
check: [make types]
tests: {at: checkpoint}
types: {files: 20, read: 1, memory: 64, seconds: 9}
keys: {approve: y}
theme: dark
colors: {added: cyan, string: '#8a5a00'}
mouse: false
`,
		});
		expect(config).toEqual({
			agents: {
				...builtIn,
				mine: {
					protocol: 'text',
					command: ['mine', '--fast'],
					reply: 'stdin',
					env: {TOKEN: 'secret'},
					by: 'your config',
				},
			},
			limits: {
				parallel: 2,
				timeout: 7_200_000,
				files: 50,
				depth: 5,
				checkpoint: 600_000,
				stagger: 2000,
				retries: [1000, 60_000],
				checks: 2,
			},
			questions: {quick: 0, home: '/home/ada/questions'},
			notify: {
				desktop: false,
				bell: false,
				terminal: false,
				title: false,
				kinds: ['question', 'ended'],
			},
			supervision: {checkpoint: 'go', scope: 'stop'},
			planner: 'mine',
			web: {approve: true},
			check: ['make types'],
			tests: {at: 'checkpoint'},
			types: {files: 20, read: 1, memory: 64, seconds: 9},
			docs: false,
			merge: 'per-agent',
			trailers: ['Reviewed-by: Ada'],
			sandbox: {mode: 'required', network: 'open'},
			allow: {read: ['~/.npmrc']},
			keys: {approve: 'y'},
			theme: 'dark',
			colors: {added: 'cyan', string: '#8a5a00'},
			mouse: false,
		});
		expect(sources).toEqual([
			[
				'user',
				'agents',
				'limits',
				'questions',
				'notify',
				'supervision',
				'planner',
				'check',
				'web',
				'tests',
				'types',
				'docs',
				'merge',
				'trailers',
				'allow',
				'sandbox',
				'keys',
				'theme',
				'colors',
				'mouse',
			],
		]);
	});

	test('of the repository lies over that of the user, key by key', async () => {
		const {config, sources} = await load({
			user: `
agents:
  one: {protocol: text, command: [user-one], env: {TOKEN: secret}}
  two: {protocol: text, command: [user-two]}
limits: {files: 5, timeout: 2h}
supervision: {checkpoint: go, scope: stop}
questions: {quick: 2min}
docs: false
keys: {approve: y, reject: n}
`,
			repository: `
agents:
  one: {protocol: text, command: [repository-one]}
limits: {files: 7}
supervision: {checkpoint: ask}
docs: true
keys: {approve: a}
`,
		});
		expect(config).toEqual({
			...defaults,
			agents: {
				...builtIn,
				one: {protocol: 'text', command: ['repository-one'], by: 'this repository'},
				two: {protocol: 'text', command: ['user-two'], by: 'your config'},
			},
			limits: {...defaults.limits, files: 7, timeout: 7_200_000},
			questions: {...defaults.questions, quick: 120_000},
			check: [],
			supervision: {checkpoint: 'ask', scope: 'stop'},
			docs: true,
			merge: 'squash',
			keys: {approve: 'a', reject: 'n'},
		});
		expect(sources?.map(([whose]) => whose)).toEqual(['user', 'repository']);
	});

	test.each([
		['/var/questions', '/var/questions'],
		['"~"', '/home/ada'],
		['~/a~b', '/home/ada/a~b'],
	])('has a home of questions that is absolute: %s', async (home, expected) => {
		const {config} = await load({user: `questions: {home: ${home}}`});
		expect(config?.questions.home).toBe(expected);
	});
});

describe('a profile that extends another', () => {
	test('changes the one that is built in, whatever its own name', async () => {
		const {config} = await load({
			user: 'agents: {claude: {extends: claude, model: opus}, fast: {extends: codex-print, env: {A: b}}}',
		});
		expect(config?.agents.claude).toEqual({
			...builtIn.claude,
			model: 'opus',
			by: 'your config',
		});
		expect(config?.agents.fast).toEqual({
			...builtIn['codex-print'],
			env: {A: 'b'},
			by: 'your config',
		});
		expect(config?.agents.gemini).toEqual(builtIn.gemini);
	});
});

describe('a config that is wrong', () => {
	test.each([
		['agnets: {}', '1:1 `agnets` is not a known key.'],
		['- a', '1:1 The file must be a map of keys and values, but is a list.'],
		['limits: {parallel: 4}', '1:20 `parallel` must be at most 3.'],
		['limits: {parallel: 0}', '1:20 `parallel` must be at least 1.'],
		['limits: {timeout: 60}', '1:19 `timeout` must be a duration such as 1h, 90s, 30min or 1h30m.'],
		['limits: {checkpoint: 1s}', '1:22 `checkpoint` must be between 1m and 24h.'],
		['limits: {file: 3}', '1:10 `file` is not a known key.'],
		['questions: {quick: 9min}', '1:20 `quick` must be between 0s and 8m.'],
		['questions: {quick: 5}', '1:20 `quick` must be a duration such as 5min, or 0.'],
		['questions: {home: relative}', '1:19 `home` must be an absolute path, or start with `~/`.'],
		['docs: yes', '1:7 `docs` must be true or false, but is text.'],
		[
			'sandbox: on',
			'1:10 `sandbox` must be `auto`, `required` or `off`, or have a `mode` and a `network` (`open`, `off` or `{hosts: […]}`).',
		],
		['notify: true', '1:9 `notify` must be a map of keys and values, but is true or false.'],
		['agents: {a: claude}', '1:13 `a` must be a map of keys and values, but is text.'],
		['agents: {a: {protocol: text}}', '1:13 `command` is missing.'],
		['agents: {a: {extends: gemini, modle: x}}', '1:31 `modle` is not a known key.'],
		['agents: {"": {protocol: text, command: [x]}}', '1:10 `` must not be empty.'],
		[
			'colors: {add: red}',
			'1:10 `add` must be one of plain, dim, strong, heading, file, good, bad, warn, info, added, removed, addedWord, removedWord, location, comment, keyword, string, constant, selected, found, key.',
		],
		[
			'colors: {added: crimson}',
			'1:17 `added` must be black, red, green, yellow, blue, magenta, cyan, white, gray or #rrggbb.',
		],
		['keys: {approve: 1}', '1:17 `approve` must be text, but is a number.'],
		['docs: true\ndocs: false', '2:1 This key is already in the same map.'],
		['limits:\n\tfiles: 3', '2:1 A tab indents this line, and YAML takes only spaces.'],
	])('%s', async (repository, problem) => {
		const {config, problems} = await load({repository});
		expect(config).toBeUndefined();
		expect(problems).toEqual([`repository:${problem}`]);
	});

	test('is told of in both files at once', async () => {
		const {problems} = await load({user: 'docs: 1', repository: 'docs: 2'});
		expect(problems).toEqual([
			'user:1:7 `docs` must be true or false, but is a number.',
			'repository:1:7 `docs` must be true or false, but is a number.',
		]);
	});

	test('that is not UTF-8 is not guessed at', async () => {
		const {problems} = await load({user: Uint8Array.of(0x61, 0x3a, 0x20, 0xff)});
		expect(problems).toEqual(['user:1:1 The file is not UTF-8 text.']);
	});

	test.each([
		['a folder', (path: string) => mkdirSync(path)],
		['a link to a device without an end', (path: string) => symlinkSync('/dev/zero', path)],
	])('that is %s is a failure with its cause', async (_, make) => {
		const root = temporaryFolder();
		make(join(root, '.delegate-tui.yaml'));
		await expect(loadConfig(root, {userFolder: root})).rejects.toMatchObject({
			name: 'Failure',
			kind: 'missing',
			message: expect.stringContaining('.delegate-tui.yaml can’t be read (it is no regular file)'),
		});
	});
});
