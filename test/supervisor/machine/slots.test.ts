import {spawn} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {basename, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {fillIn} from '../../../src/rules/plan/slot-variables.ts';
import {openSlots, slotEnvironment} from '../../../src/supervisor/machine/slots.ts';
import {planned} from '../../helpers/given.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const makeTree = (state: string, name: string): string => {
	const tree = join(state, name, `${basename(name)}-0a1b2c`);
	mkdirSync(tree, {recursive: true});
	return tree;
};

/** Returns what a worktree of its own gets in its environment. */
const environmentWith = async (env: Readonly<Record<string, string>> = {}) => {
	const folder = temporaryFolder();
	const given = planned(['AGT-001'], {plan: {env}}).state();
	const world = {slots: openSlots(folder), state: () => given};
	return slotEnvironment(world, makeTree(folder, 'agt-001'), 'AGT-001');
};

test('pnpm and uv share no file and Turborepo no result between worktrees, unless the plan says so', async () => {
	const own = await environmentWith();
	expect(own).toMatchObject({
		pnpm_config_package_import_method: 'clone-or-copy',
		UV_LINK_MODE: 'copy',
		TURBO_CACHE_DIR: `${own.TMPDIR}/turbo`,
	});
	const set = {
		pnpm_config_package_import_method: 'hardlink',
		UV_LINK_MODE: 'hardlink',
		TURBO_CACHE_DIR: '.turbo/cache',
	};
	expect(await environmentWith(set)).toMatchObject(set);
});

test('worktrees that would share a target folder of Cargo’s each get their own, unless the plan says so', async () => {
	onTestFinished(() => void vi.unstubAllEnvs());
	const home = temporaryFolder();
	vi.stubEnv('CARGO_HOME', home);
	expect(await environmentWith()).not.toHaveProperty('CARGO_TARGET_DIR');
	vi.stubEnv('CARGO_TARGET_DIR', '/shared');
	const byVariable = await environmentWith();
	expect(byVariable).toMatchObject({CARGO_TARGET_DIR: `${byVariable.TMPDIR}/target`});
	vi.stubEnv('CARGO_TARGET_DIR', undefined);
	writeFileSync(join(home, 'config.toml'), '[build]\ntarget-dir = "/shared"\n');
	const byConfig = await environmentWith();
	expect(byConfig).toMatchObject({CARGO_TARGET_DIR: `${byConfig.TMPDIR}/target`});
	const set = {CARGO_TARGET_DIR: '/elsewhere'};
	expect(await environmentWith(set)).toMatchObject(set);
});

test('a worktree keeps number, ports and temporary folder, also for the next supervisor; another one gets others', async () => {
	const state = temporaryFolder();
	const [one, two] = [makeTree(state, 'agt-001'), makeTree(state, 'agt-002')];
	const first = await openSlots(state).variablesOf(one);
	const port = Number(first.DELEGATE_PORT);
	expect(first).toMatchObject({
		DELEGATE_PORTS: `${port}-${port + 19}`,
		COMPOSE_PROJECT_NAME: 'agt-001-0a1b2c',
	});
	expect(existsSync(first.TMPDIR)).toBe(true);
	expect(await openSlots(state).variablesOf(one)).toEqual(first);
	const second = await openSlots(state).variablesOf(two);
	for (const [name, value] of Object.entries(second)) {
		expect(value, name).not.toBe(Reflect.get(first, name));
	}
});

test.each([
	['is no database', (file: string) => writeFileSync(file, 'torn')],
	['lacks a page', (file: string) => truncateSync(file, statSync(file).size - 4096)],
])('a list that a power failure has damaged, so that it %s, is made again', async (_, damage) => {
	const state = temporaryFolder();
	const tree = makeTree(state, 'agt-001');
	await openSlots(state).variablesOf(tree);
	damage(join(state, 'slots.sqlite'));
	expect(await openSlots(state).variablesOf(tree)).toMatchObject({DELEGATE_SLOT: '1'});
});

test('a temporary folder has room for the path of a socket, and goes with the place of its worktree', async () => {
	const state = temporaryFolder();
	const tree = makeTree(state, 'agt-001');
	const places = openSlots(state);
	const {TMPDIR} = await places.variablesOf(tree);
	expect(TMPDIR.length).toBeLessThan(64);
	writeFileSync(join(TMPDIR, 'made'), '');
	await places.giveUp(state);
	expect(existsSync(TMPDIR)).toBe(false);
	const again = await places.variablesOf(tree);
	rmSync(again.TMPDIR, {recursive: true});
	symlinkSync(state, again.TMPDIR);
	const renewed = await openSlots(state).variablesOf(tree);
	expect(renewed.DELEGATE_PORT).toBe(again.DELEGATE_PORT);
	expect(existsSync(renewed.TMPDIR)).toBe(true);
	expect(renewed.TMPDIR, 'somebody has put a link in its place').not.toBe(again.TMPDIR);
	rmSync(again.TMPDIR);
});

test('a block of ports on which somebody listens is nobody’s', async () => {
	const state = temporaryFolder();
	const places = openSlots(state);
	const {DELEGATE_SLOT, DELEGATE_PORT} = await places.variablesOf(makeTree(state, 'agt-001'));
	await places.giveUp(state);
	const server = createServer();
	onTestFinished(() => void server.close());
	await new Promise<void>(resolve =>
		server.listen(Number(DELEGATE_PORT) + 7, '127.0.0.1', resolve),
	);
	const next = await places.variablesOf(makeTree(state, 'agt-002'));
	expect(Number(next.DELEGATE_SLOT)).toBeGreaterThan(Number(DELEGATE_SLOT));
});

test('the place of a worktree whose folder is gone is given to the next one', async () => {
	const state = temporaryFolder();
	const [one, two] = [makeTree(state, 'agt-001'), makeTree(state, 'agt-002')];
	const {DELEGATE_SLOT, TMPDIR} = await openSlots(state).variablesOf(one);
	rmSync(join(state, 'agt-001'), {recursive: true});
	expect((await openSlots(state).variablesOf(two)).DELEGATE_SLOT).toBe(DELEGATE_SLOT);
	expect(existsSync(TMPDIR)).toBe(false);
});

test('no port is reserved twice in 200 starts by processes that are killed in between', async () => {
	const state = temporaryFolder();
	const log = join(state, 'log');
	writeFileSync(log, '');
	const start = async (process_: number): Promise<void> => {
		const child = spawn(
			process.execPath,
			[
				'--no-warnings',
				join(import.meta.dirname, 'take-slots.ts'),
				state,
				log,
				`${process_}`,
				'60',
			],
			{stdio: ['ignore', 'ignore', 'inherit']},
		);
		const limit = 15 + process_ * 9;
		const watching = setInterval(() => {
			if (linesOf(log).filter(line => line.startsWith(`${process_} `)).length >= limit) {
				child.kill('SIGKILL');
			}
		}, 1);
		await new Promise(resolve => child.once('exit', resolve));
		clearInterval(watching);
	};
	for (const round of [0, 3]) {
		await Promise.all([0, 1, 2].map(number => start(round + number)));
	}

	const slots = linesOf(log).map(line => line.split(' ')[1]);
	expect(slots.length).toBeGreaterThan(200);
	expect(new Set(slots).size).toBe(slots.length);
}, 120_000);

const linesOf = (log: string): readonly string[] =>
	readFileSync(log, 'utf8')
		.split('\n')
		.filter(line => line !== '');

test('a variable in braces has the worktree’s value, and a second dollar keeps the text', () => {
	const slot = {
		...{DELEGATE_SLOT: '3', DELEGATE_PORT: '20060', DELEGATE_PORTS: '20060-20079'},
		...{COMPOSE_PROJECT_NAME: 'shop-agt-001-7c2f', TMPDIR: '/tmp/dt-3'},
	};
	expect(
		fillIn(`http://localhost:\${DELEGATE_PORT}/$DELEGATE_SLOT $\${DELEGATE_SLOT} \${HOME}`, slot),
	).toBe(`http://localhost:20060/$DELEGATE_SLOT \${DELEGATE_SLOT} \${HOME}`);
});
