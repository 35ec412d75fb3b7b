import {type ChildProcess, spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {platform} from 'node:os';
import {join, resolve} from 'node:path';
import {spawn as spawnInTerminal} from '@lydell/node-pty';
import {expect, onTestFinished, test} from 'vitest';
import {killStragglers, listMarked} from '../../../src/lib/process/kill-stragglers.ts';
import {readProcess} from '../../../src/lib/process/process-table.ts';
import {startTime} from '../../../src/lib/process/processes.ts';
import {processesWith} from '../../helpers/processes-with.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const onLinux = test.runIf(platform() === 'linux');
const napper = resolve('fixtures/agents/naps.sh');

/** A folder to work in, a moment before anything started there, and a mark that nobody has. */
const makeFolder = () => {
	const child: ChildProcess = spawn('sleep', ['1000']);
	onTestFinished(() => void child.kill('SIGKILL'));
	const since = startTime(child.pid ?? 0) ?? '';
	return {folder: temporaryFolder(), since, mark: `TEST_SWEEP=${randomUUID()}`};
};

const here = async (sign: string): Promise<void> => {
	await expect.poll(() => existsSync(sign)).toBe(true);
};

/** The words of who starts another process hold its sign, too. */
const gone = async (starter: ChildProcess): Promise<void> => {
	await once(starter, 'exit');
};

onLinux('an orphan at work in the folder is ended, with what it started', async () => {
	const {folder, since, mark} = makeFolder();
	const sign = join(temporaryFolder(), 'here');
	const script = `(env -i PATH="$PATH" setsid sh -c '${napper} ${sign} & wait' &)`;
	await gone(spawn('sh', ['-c', script], {cwd: folder}));
	await here(sign);
	expect(processesWith(sign).length).toBe(2);
	expect(await killStragglers({mark, workedIn: {folder, since}})).toEqual([]);
	expect(processesWith(sign)).toEqual([]);
});

onLinux(
	'an orphan that knows a home, as an editor in the background, is not ended but named',
	async () => {
		const {folder, since, mark} = makeFolder();
		const sign = join(temporaryFolder(), 'here');
		const env = {PATH: process.env.PATH, HOME: '/home/person'};
		const script = `(setsid ${napper} ${sign} &)`;
		await gone(spawn('sh', ['-c', script], {cwd: folder, env, stdio: 'ignore'}));
		await here(sign);
		const [pid = 0] = processesWith(sign);
		onTestFinished(() => void process.kill(pid, 'SIGKILL'));
		const left = await killStragglers({mark, workedIn: {folder, since}});
		expect(left.map(survivor => survivor.pid)).toContain(pid);
		expect(processesWith(sign)).toEqual([pid]);
	},
);

onLinux('what has a parent of its own is not ended but named', async () => {
	const {folder, since, mark} = makeFolder();
	const sign = join(temporaryFolder(), 'here');
	const guest = spawn(napper, [sign], {cwd: folder, stdio: 'ignore'});
	onTestFinished(() => void guest.kill('SIGKILL'));
	await here(sign);
	const left = await killStragglers({mark, workedIn: {folder, since}});
	const own = left.filter(({pid}) => pid === guest.pid);
	expect(own).toMatchObject([{pid: guest.pid, command: expect.stringContaining(sign)}]);
	expect(processesWith(sign)).toEqual([guest.pid]);
});

onLinux('what was there before, is elsewhere or has a terminal is left alone', async () => {
	const before = temporaryFolder();
	const sign = join(temporaryFolder(), 'here');
	const earlier = spawn(napper, [`${sign}-1`], {cwd: before, stdio: 'ignore'});
	const elsewhere = spawn(napper, [`${sign}-2`], {cwd: `${temporaryFolder()}`, stdio: 'ignore'});
	onTestFinished(() => {
		earlier.kill('SIGKILL');
		elsewhere.kill('SIGKILL');
	});
	await here(`${sign}-1`);
	await here(`${sign}-2`);
	const {pid = 0} = earlier;
	const ticks = readProcess(pid)?.ticks ?? 0;
	const boot = startTime(pid)?.split('-')[0] ?? '';
	const terminal = spawnInTerminal(napper, [`${sign}-3`], {cwd: before});
	onTestFinished(() => terminal.kill('SIGKILL'));
	await here(`${sign}-3`);
	const since = `${boot}-${ticks + 1}`;
	const left = await killStragglers({
		mark: `TEST_SWEEP=${randomUUID()}`,
		workedIn: {folder: before, since},
	});
	expect(left.filter(({command}) => command.includes(sign))).toEqual([]);
	expect(processesWith(sign).length).toBe(3);
});

onLinux('what is marked can be listed by its words', async () => {
	const mark = `TEST_SWEEP=${randomUUID()}`;
	const [name = '', value = ''] = mark.split('=');
	const child = spawn('sleep', ['1000'], {env: {...process.env, [name]: value}});
	onTestFinished(() => void child.kill('SIGKILL'));
	await expect
		.poll(() => listMarked(mark))
		.toEqual([{pid: child.pid, startTime: expect.any(String), command: 'sleep 1000'}]);
});
