import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {platform} from 'node:os';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {createFreezer} from '../../../src/lib/process/freezer.ts';
import {startTime} from '../../../src/lib/process/processes.ts';
import {statesOf} from '../../helpers/process-states.ts';

/** A process that does nothing for long. */
const sleeper = () => {
	const child = spawn('sleep', ['1000'], {stdio: 'ignore'});
	const pid = child.pid ?? 0;
	const over = once(child, 'exit');
	onTestFinished(() => void child.kill('SIGKILL'));
	return {root: {pid, startTime: startTime(pid) ?? ''}, over, child};
};

const isStopped = ({root}: ReturnType<typeof sleeper>): boolean => statesOf([root.pid])[0] === 'T';

describe.runIf(platform() === 'linux')('what is held', () => {
	test('stands still together, also what comes later, and goes on together', async () => {
		const freezer = createFreezer();
		const [early, late] = [sleeper(), sleeper()];
		freezer.hold(early.root, early.over);
		freezer.set(true);
		freezer.hold(late.root, late.over);
		await expect.poll(() => isStopped(early) && isStopped(late)).toBe(true);
		freezer.set(true);
		expect(isStopped(late)).toBe(true);
		freezer.set(false);
		await expect.poll(() => isStopped(early) || isStopped(late)).toBe(false);
	});

	test('is let go once it is over', async () => {
		const freezer = createFreezer();
		const one = sleeper();
		const over = Promise.withResolvers<void>();
		freezer.hold(one.root, over.promise);
		over.reject(new Error('it failed'));
		await over.promise.catch(() => {});
		freezer.set(true);
		expect(isStopped(one)).toBe(false);
	});
});

describe('a time that is waited for', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	test('is up when it is, where nothing stands still', () => {
		const signal = createFreezer().timeout(1000);
		vi.advanceTimersByTime(999);
		expect(signal.aborted).toBe(false);
		vi.advanceTimersByTime(1);
		expect(signal.reason).toMatchObject({name: 'TimeoutError'});
	});

	test('does not count while all stands still, however often that is', () => {
		const freezer = createFreezer();
		const signal = freezer.timeout(1000);
		for (let round = 0; round < 4; round++) {
			vi.advanceTimersByTime(200);
			freezer.set(true);
			vi.advanceTimersByTime(5000);
			freezer.set(false);
		}

		vi.advanceTimersByTime(199);
		expect(signal.aborted).toBe(false);
		vi.advanceTimersByTime(1);
		expect(signal.aborted).toBe(true);
	});

	test('begins once it goes on, where all stood still before', () => {
		const freezer = createFreezer();
		freezer.set(true);
		const signal = freezer.timeout(1000);
		vi.advanceTimersByTime(5000);
		freezer.set(false);
		vi.advanceTimersByTime(999);
		expect(signal.aborted).toBe(false);
		vi.advanceTimersByTime(1);
		expect(signal.aborted).toBe(true);
	});
});
