import {spawn} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {silentHolder} from '../../src/client/supervisor/start-supervisor.ts';
import {readProcess} from '../../src/lib/process/process-table.ts';
import {temporaryPath} from '../control/helpers.ts';

/** A process that has a file open, until the test ends. */
const startHolder = (lock: string): number => {
	const descriptor = openSync(lock, 'w');
	const {pid = 0} = spawn('sleep', ['600'], {stdio: ['ignore', 'ignore', descriptor]});
	closeSync(descriptor);
	onTestFinished(() => {
		process.kill(pid, 'SIGKILL');
	});
	return pid;
};

test.runIf(process.platform === 'linux')(
	'who holds the lock and does not answer is named, with what it is and how to go on',
	async () => {
		const lock = `${temporaryPath()}.lock`;
		expect(silentHolder({lock})).toMatchObject({
			message: expect.stringContaining(`holds ${lock}`),
			hint: expect.stringContaining('container'),
		});

		const pid = startHolder(lock);
		await expect
			.poll(() => silentHolder({lock}))
			.toMatchObject({
				message: `This repository is held by process ${pid} (sleep 600), which does not answer.`,
				hint: expect.stringContaining(`kill ${pid} ends it; its work is kept`),
			});

		process.kill(pid, 'SIGSTOP');
		await expect.poll(() => readProcess(pid)?.isStopped).toBe(true);
		expect(silentHolder({lock}).hint).toContain(`kill -CONT ${pid}`);
	},
);
