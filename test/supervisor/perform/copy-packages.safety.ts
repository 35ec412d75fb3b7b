import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {Plan} from '../../../src/events/plan.ts';
import type {State} from '../../../src/state/state.ts';
import {createStarts} from '../../../src/supervisor/budgets.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {prepare} from '../../../src/supervisor/perform/prepare.ts';
import type {TelemetryEntry} from '../../../src/supervisor/telemetry.ts';
import {requireSession, type World} from '../../../src/supervisor/world.ts';
import {subtask} from '../../helpers/plan.ts';
import {
	commitAll,
	type Files,
	git,
	script,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

const ids = ['AGT-001', 'AGT-002', 'AGT-003'] as const;

const files = {
	'.gitignore': 'node_modules/\ndist/\n',
	'package.json': JSON.stringify({name: 'shop', private: true, workspaces: ['packages/*']}),
	'packages/api/package.json': JSON.stringify({name: '@shop/api', version: '1.0.0', bin: 'cli.js'}),
	'packages/api/cli.js': '#!/usr/bin/env node\nconsole.log(require("left").side);\n',
	'packages/web/package.json': JSON.stringify({
		...{name: '@shop/web', version: '1.0.0'},
		dependencies: {'@shop/api': '^1.0.0', left: 'file:../../vendor/left-1.0.0.tgz'},
	}),
};

/** A workspace whose packages npm finds without a network: members, and an archive that is in the repository, whose install runs a script if it has one. */
const makeWorkspace = async (plan: Partial<Plan>, more: Files = {}, postinstall?: string) => {
	const {world, state} = await makeSupervised(
		{...files, ...more},
		{
			agents: ids.map(id => subtask(id)),
			...plan,
		},
	);
	const {root} = world.repository;
	const left = temporaryFolder();
	write(left, {
		'package.json': JSON.stringify({
			...{name: 'left', version: '1.0.0', main: 'index.js'},
			...(postinstall === undefined ? {} : {scripts: {postinstall}}),
		}),
		'index.js': 'exports.side = "left";\n',
	});
	mkdirSync(join(root, 'vendor'));
	chmodSync(join(root, 'packages/api/cli.js'), 0o755);
	npm(left, 'pack', '--pack-destination', join(root, 'vendor'));
	npm(root, 'install', '--package-lock-only', '--offline');
	const base = commitAll(root);
	const session = {...requireSession(state), base, tip: base};
	const told: TelemetryEntry[] = [];
	const telemetry = {...world.telemetry, write: (entry: TelemetryEntry) => void told.push(entry)};
	return {world: {...world, telemetry}, state: {...state, session}, told};
};

const npm = (cwd: string, ...words: readonly string[]) =>
	execFileSync('npm', [...words, '--silent'], {cwd, stdio: 'pipe'});

const prepareAll = async (world: World, state: State) =>
	Promise.all(state.agents.map(agent => prepare(world, state, agent)));

/** Returns what ran in an agent's worktree, in order. */
const ran = (world: World, agent: string): readonly string[] =>
	readFileSync(world.folder.agent(agent).setupLog, 'utf8')
		.split('\n')
		.flatMap(line => (line.startsWith('$ ') ? [line.slice(2)] : []))
		.map(line => line.replace(/^(?:cd .*; do (cp) .*|(grep) .*)$/, '$1$2'));

const install = 'npm ci --offline';

/** Returns the agents, the one that was set up first before the others: any of them may be. */
const inOrder = (world: World): readonly [first: string, ...others: string[]] => {
	const first = ids.find(id => ran(world, id)[0]?.startsWith(install)) ?? '';
	return [first, ...ids.filter(id => id !== first)];
};

test('packages that npm installed in the first worktree are copied into the others, which share no file with it', async () => {
	const {world, state, told} = await makeWorkspace({setup: [install, 'echo built >built.log']});
	const events = await prepareAll(world, state);
	const baselines = events.flat().map(event => 'baseline' in event && event.baseline);
	expect(new Set(baselines).size).toBe(1);
	const [first, ...others] = inOrder(world);
	expect([first, ...others].map(id => ran(world, id))).toEqual([
		[install, 'echo built >built.log', 'grep'],
		['cp', 'echo built >built.log'],
		['cp', 'echo built >built.log'],
	]);
	const trees = [first, ...others].map(id => world.folder.agent(id).tree);
	const left = trees.map(tree => join(tree, 'node_modules/left/index.js'));
	expect(new Set(left.map(path => lstatSync(path).ino)).size).toBe(3);
	writeFileSync(left[0] ?? '', 'exports.side = "edited";\n');
	for (const [at, tree] of trees.entries()) {
		expect(readlinkSync(join(tree, 'node_modules/@shop/api'))).toBe('../../packages/api');
		expect(execFileSync('node_modules/.bin/api', {cwd: tree, encoding: 'utf8'})).toBe(
			at === 0 ? 'edited\n' : 'left\n',
		);
		npm(tree, 'ls', '--all');
	}

	const steps = told.flatMap(entry => ('text' in entry ? [`${entry.agent}: ${entry.text}`] : []));
	const [, count] = /copying node_modules \((\d+) files\)/.exec(steps.join('\n')) ?? [];
	expect(Number(count)).toBeGreaterThan(3);
	expect(steps.toSorted()).toEqual(
		[
			...[`${first}: its setup is running`],
			...[`${first}: waiting until other agents have copied its packages`],
			...others.flatMap(id => [
				`${id}: copying node_modules (${count} files) from ${first}`,
				`${id}: its setup is running`,
				`${id}: waiting for the setup of ${first}, so that nothing is downloaded twice`,
			]),
		].toSorted(),
	);
});

const withScript = (path: keyof typeof files, name: string, script: string): Files => ({
	[path]: JSON.stringify({...JSON.parse(files[path]), scripts: {[name]: script}}),
});

test.each<[why: string, setup: string, more: Files, postinstall?: string]>([
	['it is no install that is known', `${install} && true`, {}],
	['it changes a tracked file', install, {'packages/api/cli.js': '#!/usr/bin/env node\r\n'}],
	['the project has a script for it', install, withScript('package.json', 'preprepare', 'true')],
	[
		'a member of the workspace has a script for it',
		install,
		withScript('packages/web/package.json', 'prepare', 'true'),
	],
	[
		'it makes something besides packages',
		install,
		{},
		'mkdir -p "$INIT_CWD/dist" && touch "$INIT_CWD/dist/made"',
	],
	['a package names the folder of the worktree', install, {}, 'pwd >where'],
	['a package is a link to a place on this machine', install, {}, 'ln -s /usr/lib lib'],
])('where %s, setup runs in each worktree', async (_, setup, more, postinstall) => {
	const outside = temporaryFolder();
	// A second run for the same agent would fail.
	const later = `mkdir "${outside}/$(basename "$(dirname "$PWD")")"`;
	const {world, state} = await makeWorkspace({setup: [setup, later]}, more, postinstall);
	await prepareAll(world, state);
	for (const id of ids) {
		expect(ran(world, id).filter(command => command !== 'grep')).toEqual([setup, later]);
		expect(statSync(join(world.folder.agent(id).tree, 'node_modules/left')).isDirectory()).toBe(
			true,
		);
	}
});

test('scripts of the project don’t keep packages from being copied if the setup turns scripts off', async () => {
	const setup = `${install} --ignore-scripts`;
	const {world, state} = await makeWorkspace(
		{setup: [setup]},
		withScript('package.json', 'prepare', 'mkdir dist'),
	);
	await prepareAll(world, state);
	expect(inOrder(world).map(id => ran(world, id)[0])).toEqual([setup, 'cp', 'cp']);
});

test('packages that a later command of the setup changed are not copied', async () => {
	const setup = [install, 'mkdir node_modules/left/made'];
	const {world, state} = await makeWorkspace({setup});
	await prepareAll(world, state);
	expect(ids.map(id => ran(world, id))).toEqual([setup, setup, setup]);
});

test('packages that name the folder of the worktree are not copied where that is reached by a link', async () => {
	const {world, state} = await makeWorkspace({setup: [install]}, {}, 'pwd -P >where');
	const link = join(temporaryFolder(), 'state');
	symlinkSync(dirname(dirname(world.folder.path)), link);
	const folder = repositoryFolder(link, 'repository').session(world.session);
	await prepareAll({...world, folder}, state);
	expect(ids.map(id => ran(world, id)[0])).toEqual([install, install, install]);
});

test('sparse worktrees copy packages from one with the same folders, and from no other', async () => {
	const {world, state} = await makeWorkspace({setup: [install]}, {'docs/a.md': 'a\n'});
	const prepared = async (checkouts: readonly (readonly string[])[]) => {
		const agents = state.agents.map((agent, at) => ({
			...agent,
			subtask: {...agent.subtask, checkout: checkouts[at] ?? []},
		}));
		const events = await prepareAll({...world, starts: createStarts()}, {...state, agents});
		const baselines = events.flat().map(event => 'baseline' in event && event.baseline);
		const whole = git(world.repository.root, 'rev-parse', 'HEAD^{tree}');
		expect(baselines).toEqual([whole, whole, whole]);
		return ids.map(id => [
			existsSync(join(world.folder.agent(id).tree, 'docs')),
			ran(world, id).at(-1),
		]);
	};
	const needed = ['packages', 'vendor'];
	const alike = await prepared([needed, needed, needed]);
	expect(alike.toSorted()).toEqual([
		[false, 'cp'],
		[false, 'cp'],
		[false, 'grep'],
	]);
	const [one, , other] = await prepared([needed, needed, [...needed, 'docs']]);
	expect([one?.[0], other?.[0]]).toEqual([false, true]);
	expect(other?.[1]).not.toBe('cp');
});

test('a worktree that starts from something else, or with another environment, installs for itself', async () => {
	const {world, state} = await makeWorkspace({setup: [install]});
	const agents = state.agents.map(agent =>
		agent.id === 'AGT-003'
			? {...agent, subtask: {...agent.subtask, uncommitted: true as const}}
			: agent,
	);
	write(world.repository.root, {'packages/web/index.js': '// Uncommitted.\n'});
	const environments = {
		...world.environments,
		get: (id: string) => (id === 'AGT-002' ? {NODE_ENV: 'production'} : {}),
	};
	await prepareAll({...world, environments}, {...state, agents});
	for (const id of ids) {
		expect(ran(world, id)[0]).toBe(install);
	}
});

test.each(['kill -9 $$', 'exit 1'])(
	'after a copy that is cut off the worktree is made anew, and installs (%s)',
	async end => {
		const {world, state} = await makeWorkspace({setup: [install]});
		const folder = temporaryFolder();
		const {PATH = ''} = process.env;
		script(
			join(folder, 'cp'),
			`for to; do :; done; ${execFileSync('sh', ['-c', 'command -v cp'], {encoding: 'utf8'}).trim()} "$@"; touch "$to/half"; ${end}`,
		);
		process.env.PATH = `${folder}:${PATH}`;
		onTestFinished(() => {
			process.env.PATH = PATH;
		});
		const events = await prepareAll(world, state);
		expect(events.flat().map(({kind}) => kind)).toEqual(ids.map(() => 'workspace.prepared'));
		for (const id of inOrder(world).slice(1)) {
			const {tree} = world.folder.agent(id);
			expect(ran(world, id)).toEqual(['cp', install]);
			expect(existsSync(join(tree, 'node_modules/half'))).toBe(false);
			expect(existsSync(join(tree, 'node_modules/left/index.js'))).toBe(true);
			expect(git(tree, 'status', '--porcelain')).toBe('');
			expect(existsSync(join(dirname(tree), 'discarded'))).toBe(false);
		}
	},
);
