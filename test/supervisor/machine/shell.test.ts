import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {platform} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findContainment, groupsContainment} from '../../../src/lib/process/containment.ts';
import {isAlive, startTime} from '../../../src/lib/process/processes.ts';
import {defined} from '../../../src/lib/values.ts';
import type {State} from '../../../src/state/state.ts';
import {createAgentLimits} from '../../../src/supervisor/machine/agent-limits.ts';
import {runCommands, runForSession} from '../../../src/supervisor/machine/shell.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {markedProcesses} from '../../helpers/marked-processes.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

/** Elsewhere nothing proves whose a group is once its leader is gone. */
const onLinux = test.runIf(platform() === 'linux');

const containment = groupsContainment('for a test');

/** Runs commands in a folder of their own, with an environment entry to know their processes by. */
const run = async (...commands: readonly string[]) => {
	const cwd = temporaryFolder();
	const log = join(temporaryFolder(), 'log');
	const mark = randomUUID();
	const env = {PATH: process.env.PATH ?? '', TEST_MARK: mark};
	const place = {cwd, env, containment, mark: `TEST_MARK=${mark}`};
	const outcome = await runCommands(commands, {...place, log});
	return {cwd, mark, outcome, log: readFileSync(log, 'utf8')};
};

onLinux(
	'a command that leaves a process behind is over at once, and the process is gone',
	async () => {
		const {cwd, mark, outcome} = await run('sleep 1000 & echo $! > pid');
		expect(outcome).toEqual({
			ok: true,
			commands: [{command: expect.any(String), code: 0}],
			survivors: [],
		});
		const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
		expect(isAlive({pid, startTime: startTime(pid) ?? ''})).toBe(false);
		expect(markedProcesses(mark)).toEqual([]);
	},
);

onLinux('a process that is left behind and ignores the polite signal is gone, too', async () => {
	const {mark, outcome} = await run("(trap '' TERM; sleep 1000) & true");
	expect(outcome.ok).toBe(true);
	expect(markedProcesses(mark)).toEqual([]);
});

test('commands run in their order until one fails, and the log has all they said', async () => {
	const {cwd, outcome, log} = await run('echo one', 'echo two >&2; exit 3', 'touch never');
	expect(outcome.ok).toBe(false);
	expect(outcome.commands.map(({code}) => code)).toEqual([0, 3]);
	expect(log).toBe('$ echo one\none\n$ echo two >&2; exit 3\ntwo\n');
	expect(existsSync(join(cwd, 'never'))).toBe(false);
});

test('in a namespace everything ends with the command, so nothing is looked for', async () => {
	const mark = randomUUID();
	const child = spawn('sleep', ['1000'], {env: {PATH: process.env.PATH, TEST_MARK: mark}});
	onTestFinished(() => void child.kill('SIGKILL'));
	const place = {cwd: temporaryFolder(), env: {}, mark: `TEST_MARK=${mark}`};
	const log = join(temporaryFolder(), 'log');
	const namespace = {
		level: 'namespace',
		why: 'for a test',
		prefix: [],
		binds: false,
		fileSandbox: {missing: 'for a test'},
	} as const;
	await runCommands(['true'], {...place, containment: namespace, log});
	expect(child.exitCode ?? child.signalCode).toBeNull();
	const exited = once(child, 'exit');
	await runCommands(['true'], {...place, containment, log});
	await exited;
});

test('a command that is ended by a signal has no exit code', async () => {
	const {outcome} = await run('kill -9 $$');
	expect(outcome).toMatchObject({ok: false, commands: [{command: 'kill -9 $$', code: null}]});
});

test('a command that can’t start has no exit code', async () => {
	const log = join(temporaryFolder(), 'log');
	const cwd = join(temporaryFolder(), 'missing');
	const outcome = await runCommands(['true'], {
		cwd,
		env: {},
		containment,
		mark: 'TEST_MARK=none',
		log,
	});
	expect(outcome).toMatchObject({ok: false, commands: [{command: 'true', code: null}]});
});

const best = await findContainment();

/** Runs a command as a check that may have a network of its own. */
const check = async (command: string) => {
	const cwd = temporaryFolder();
	const log = join(temporaryFolder(), 'log');
	const mark = `TEST_MARK=${randomUUID()}`;
	const [name = '', value = ''] = mark.split('=');
	const folder = temporaryFolder();
	const env = {PATH: process.env.PATH ?? '', TMPDIR: folder, [name]: value};
	const outcome = await runCommands([command], {
		...{cwd, log, mark, containment: best, env},
		network: {own: true, needs: [], folder},
	});
	return {...outcome, log: readFileSync(log, 'utf8')};
};

/** Connects to an address of a port, and exits with 1 where that is refused or can't be reached. */
const connectTo = (host: string): string =>
	`${process.execPath} -e "require('net').connect(9, '${host}').on('error', () => process.exit(1))"`;

test.runIf(best.ownNetwork !== undefined)(
	'a check that fails for want of another machine is run again with this machine’s network',
	async () => {
		const command = `test -e again || { touch again; ${connectTo('192.0.2.1')}; }`;
		const {ok, commands, log} = await check(command);
		// Beside these stand ports of this machine that other programs used meanwhile.
		expect({ok, commands}).toMatchObject({ok: true, commands: [{command, code: 0}]});
		expect(log).toContain('It tried to reach another machine');
	},
);

test.runIf(best.ownNetwork !== undefined)(
	'a check that fails by a port on which nobody listens is told how it gets there',
	async () => {
		const {ok, log} = await check(connectTo('127.0.0.1'));
		expect(ok).toBe(false);
		expect(log).toContain('verify_needs: [PORT]');
		expect((await check('exit 3')).log).toBe('$ exit 3\n');
	},
);

test.runIf(best.ownNetwork !== undefined)(
	'a check that leaves a pipe in the place of its network counters has failed, and is over',
	async () => {
		const {ok, log} = await check('mkfifo "$TMPDIR/network"; kill -KILL $$');
		expect(ok).toBe(false);
		expect(log).not.toContain('runs again');
	},
);

test('the limits of commands that nobody wants any more are released', async () => {
	const {world} = await makeSupervised({'a.txt': ''});
	let released = 0;
	const limits = {
		limit: () => containment,
		besides: () => ({}),
		release: () => undefined,
		releaseKept: () => {},
		limitCommands: () => ({containment, release: () => void released++}),
	};
	const parts = {cwd: world.repository.root, log: join(temporaryFolder(), 'log')};
	const abort = AbortSignal.abort();
	const running = runForSession({...world, limits}, ['true'], {
		...parts,
		purpose: ['verify', 1],
		signal: abort,
	});
	await expect(running).rejects.toBe(abort.reason);
	expect(released).toBe(1);
});

test.each([
	['a check is limited by what each agent may use', undefined, 2],
	['a command in an agent’s worktree is limited by what that agent may use', 'AGT-001', 1],
] as const)('%s', async (_, agent, mebibytes) => {
	const {world, state} = await makeSupervised({'a.txt': ''});
	const session = requireSession(state);
	const limited: State = {
		...state,
		session: {...session, settings: {...session.settings, load: {disk: 2 * 2 ** 20}}},
		agents: state.agents.map(one => ({...one, loadBudget: {disk: 2 ** 20}})),
	};
	const log = join(temporaryFolder(), 'log');
	const limits = createAgentLimits({state: () => limited, folder: world.folder});
	await runForSession({...world, limits}, ['ulimit -f'], {
		...{cwd: world.repository.root, log, purpose: ['check', 1]},
		...defined({agent}),
	});
	// A shell counts in blocks, dash in those of 512 bytes and bash in those of 1024.
	const [, blocks] = readFileSync(log, 'utf8').split('\n');
	expect([512, 1024].map(size => (mebibytes * 2 ** 20) / size)).toContain(Number(blocks));
});
