import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {platform} from 'node:os';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {expect, onTestFinished, test} from 'vitest';
import {killStragglers} from '../../../src/lib/process/kill-stragglers.ts';
import {
	endGroup,
	isAlive,
	type ProcessIdentity,
	startTime,
} from '../../../src/lib/process/processes.ts';

const onLinux = test.runIf(platform() === 'linux');

/** Starts a shell in a group of its own and waits for its first line. */
const startShell = async (script: string, environment: NodeJS.ProcessEnv = {}) => {
	const child = spawn('sh', ['-c', script], {
		detached: true,
		stdio: ['ignore', 'pipe', 'inherit'],
		env: {...process.env, ...environment},
	});
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	const exit = once(child, 'exit');
	const identity = identify(child.pid);
	onTestFinished(() => kill(-identity.pid));
	const firstLine = (await lines.next()).value ?? '';
	return {child, identity, firstLine, exit};
};

const identify = (pid: number | undefined): ProcessIdentity => {
	const started = pid === undefined ? undefined : startTime(pid);
	if (pid === undefined || started === undefined) {
		throw new Error(`there is no process ${pid}`);
	}

	return {pid, startTime: started};
};

const kill = (pid: number): void => {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It is gone, as it should be.
	}
};

const mark = () => `DELEGATE_TUI_TEST=${randomUUID()}`;
const asEnvironment = (entry: string) => Object.fromEntries([entry.split('=')]);

test('a process is told by its id and start time, until it ends', async () => {
	const {child, identity, exit} = await startShell('echo ready; exec sleep 1000');
	expect(startTime(identity.pid)).toBe(identity.startTime);
	expect(isAlive(identity)).toBe(true);
	expect(isAlive({...identity, startTime: `${identity.startTime}0`})).toBe(false);
	child.kill('SIGKILL');
	await exit;
	expect(startTime(identity.pid)).toBeUndefined();
	expect(isAlive(identity)).toBe(false);
});

onLinux('a process may call itself what it likes', async () => {
	const name = 'a) Z 1 1 (';
	const {firstLine} = await startShell(
		`exec "${process.execPath}" -e "process.title = '${name}'; console.log(process.pid); setInterval(() => {}, 1e6)"`,
	);
	expect(startTime(Number(firstLine))).toMatch(/^[0-9a-f]{8}-\d+$/);
});

onLinux(
	'a process that ended before it could be looked at has a start time, but is not alive',
	() => {
		const child = spawn('true');
		const identity = identify(child.pid);
		for (const end = performance.now() + 60_000; isAlive(identity); ) {
			expect(performance.now()).toBeLessThan(end);
		}

		expect(startTime(identity.pid)).toBe(identity.startTime);
	},
);

test('a group that ignores the polite signal is killed', async () => {
	const {identity} = await startShell("trap '' TERM; echo ready; while :; do sleep 0.05; done");
	expect(await endGroup(identity, {graceMs: 50})).toBe(true);
	expect(isAlive(identity)).toBe(false);
});

test('a group that is stopped is ended', async () => {
	const {identity, child, exit} = await startShell('echo ready; exec sleep 1000');
	child.kill('SIGSTOP');
	expect(await endGroup(identity, {graceMs: 10_000})).toBe(true);
	expect(await exit).toEqual([null, 'SIGTERM']);
});

test('what a leader runs in the background is ended with it', async () => {
	const {identity, firstLine} = await startShell('sleep 1000 & echo $!; wait');
	const background = identify(Number(firstLine));
	expect(await endGroup(identity, {graceMs: 5000})).toBe(true);
	expect(isAlive(background)).toBe(false);
});

test.each([{system: 'linux'}, {system: 'darwin'}] as const)(
	'what a child left behind is ended after it is gone, by the means of $system',
	async ({system}) => {
		const {identity, firstLine, exit} = await startShell('sleep 1000 >&- & echo $!');
		const background = identify(Number(firstLine));
		await exit;
		expect(isAlive(background)).toBe(true);
		if (system === 'darwin') {
			expect(await endGroup(identity, {graceMs: 5000, system})).toBe(true);
			expect(isAlive(background)).toBe(true);
		}

		expect(await endGroup(identity, {graceMs: 5000, isChild: true, system})).toBe(true);
		expect(isAlive(background)).toBe(false);
	},
);

test.each([
	['an earlier process with the same id', (started: string) => `${started.slice(0, -1)}`],
	[
		'a process that started a moment before',
		(started: string) => started.replace(/\d+$/, ticks => `${Number(ticks) - 1}`),
	],
	['a process of an earlier boot', (started: string) => `00000000-${started.split('-')[1]}`],
	['a process that was gone before it could be told', () => ''],
])('nothing is sent to a group in the place of %s', async (_, change) => {
	const {identity} = await startShell('echo ready; exec sleep 1000');
	const other = {...identity, startTime: change(identity.startTime)};
	expect(await endGroup(other, {graceMs: 50})).toBe(true);
	expect(isAlive(identity)).toBe(true);
});

onLinux(
	'nothing is sent to a group whose leader is gone and that is older or of another boot',
	async () => {
		const {identity, firstLine, exit} = await startShell('sleep 1000 >&- & echo $!');
		const background = identify(Number(firstLine));
		await exit;
		const [boot, ticks] = identity.startTime.split('-');
		await endGroup({...identity, startTime: `${boot}-${Number(ticks) + 10_000}`}, {graceMs: 50});
		await endGroup({...identity, startTime: `00000000-${ticks}`}, {graceMs: 50});
		expect(isAlive(background)).toBe(true);
	},
);

onLinux('killing stragglers ends marked processes wherever they went, and no other', async () => {
	const entry = mark();
	const environment = asEnvironment(entry);
	const [leader, stubborn, similar] = await Promise.all([
		startShell('echo ready; exec sleep 1000', environment),
		startShell("trap '' TERM; echo ready; while :; do sleep 0.05; done", environment),
		startShell('echo ready; exec sleep 1000', asEnvironment(`${entry}0`)),
	]);
	expect(await killStragglers({mark: entry})).toEqual([]);
	expect([leader, stubborn, similar].map(({identity}) => isAlive(identity))).toEqual([
		false,
		false,
		true,
	]);
});

onLinux('killing stragglers spares the process that asks for it', async () => {
	const entry = mark();
	const {firstLine} = await startShell(
		`exec "${process.execPath}" --experimental-strip-types --no-warnings -e "
			import('${new URL('../../../src/lib/process/kill-stragglers.ts', import.meta.url)}')
				.then(({killStragglers}) => killStragglers({mark: '${entry}'}))
				.then(left => console.log(JSON.stringify(left)));"`,
		asEnvironment(entry),
	);
	expect(firstLine).toBe('[]');
});

test.each(['', 'HOME', 'HOME=', '=x'])(
	'killing stragglers by %j, which anything could have, is refused',
	async entry => {
		await expect(killStragglers({mark: entry})).rejects.toThrow('NAME=VALUE');
	},
);
