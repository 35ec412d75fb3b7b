import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {startTime} from '../../../src/lib/process/processes.ts';
import type {Space} from '../../../src/rules/disk.ts';
import {apply} from '../../../src/state/apply/apply.ts';
import {freeSpace, type HealthParts, watchHealth} from '../../../src/supervisor/machine/health.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

/** A machine that is looked at when the test says so; what is told is believed. */
const machine = async (spaceOf: (folder: string) => Promise<Space>) => {
	const {world, state: begun} = await makeSupervised({'readme.md': 'hello\n'});
	let state = begun;
	const told: Body[] = [];
	const append = async (bodies: readonly Body[]): Promise<void> => {
		for (const body of bodies) {
			told.push(body);
			state = apply(state, {...body, seq: state.seq + 1, at: state.at});
		}
	};
	const parts: HealthParts = {
		world: {...world, append},
		state: () => state,
		spaceOf,
		everyMs: 1_000_000,
	};
	const health = watchHealth(parts);
	onTestFinished(health.stop);
	return {...health, world, told, append};
};

describe('the space on the disks', () => {
	test('is told when it crosses a threshold, and only then', async () => {
		let free = 2 ** 33;
		const {look, told} = await machine(async () => ({free, total: 2 ** 34}));
		for (const space of [2 ** 33, 2 ** 29, 2 ** 29 - 1, 2 ** 27, 2 ** 27, 2 ** 33]) {
			free = space;
			await look();
		}

		expect(told.map(body => body.kind === 'machine.disk' && [body.level, body.free])).toEqual([
			['low', 2 ** 29],
			['full', 2 ** 27],
			['enough', 2 ** 33],
		]);
	});

	test('is that of the fuller one, of the checkout or of the state', async () => {
		const root: {folder?: string} = {};
		const {look, told, world} = await machine(async folder => ({
			free: folder === root.folder ? 2 ** 20 : 2 ** 33,
			total: 2 ** 34,
		}));
		root.folder = world.repository.root;
		await look();
		expect(told).toMatchObject([{level: 'full', folder: world.repository.root}]);
	});

	test('is not looked at again once the watch was stopped, even in the middle of a look', async () => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => {
			vi.useRealTimers();
		});
		const {look, stop} = await machine(async () => ({free: 2 ** 33, total: 2 ** 34}));
		await look();
		expect(vi.getTimerCount()).toBe(1);
		const looking = look();
		stop();
		await looking;
		expect(vi.getTimerCount()).toBe(0);
	});

	test('that can’t be found out is found out the next time', async () => {
		let isBroken = true;
		const {look, told} = await machine(async () => {
			if (isBroken) {
				throw new Error('EIO');
			}

			return {free: 0, total: 1};
		});
		await look();
		isBroken = false;
		await look();
		expect(told).toMatchObject([{kind: 'machine.disk', level: 'full'}]);
	});
});

const mounting = await execa('unshare', ['--mount', 'true'], {reject: false});

test.runIf(mounting.exitCode === 0)(
	'the space on a real disk is what a file takes and gives back (needs the right to mount)',
	async () => {
		const folder = temporaryFolder();
		await execa('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
		onTestFinished(async () => {
			await execa('umount', [folder]);
		});
		const before = await freeSpace(folder);
		expect(before.total).toBe(8 * 2 ** 20);
		writeFileSync(join(folder, 'large'), Buffer.alloc(4 * 2 ** 20));
		expect((await freeSpace(folder)).free).toBe(before.free - 4 * 2 ** 20);
		rmSync(join(folder, 'large'));
		expect((await freeSpace(folder)).free).toBe(before.free);
	},
);

test('a process that could not be ended is told again when it is gone', async () => {
	const child = spawn('sleep', ['1000']);
	const pid = child.pid ?? 0;
	const left = {pid, startTime: startTime(pid) ?? '', command: 'sleep 1000'};
	const gone = {pid: 2 ** 22, startTime: 'x', command: 'gone'};
	const {look, told, append} = await machine(async () => ({free: 2 ** 40, total: 2 ** 40}));
	await append([{kind: 'machine.survivors', agent: 'AGT-001', processes: [left, gone]}]);
	await look();
	await look();
	child.kill('SIGKILL');
	await once(child, 'exit');
	await look();
	expect(told.slice(1)).toEqual([
		{kind: 'machine.survivors', agent: 'AGT-001', processes: [left]},
		{kind: 'machine.survivors', agent: 'AGT-001', processes: []},
	]);
});
