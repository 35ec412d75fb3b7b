import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {atMultiples, untilMultiple} from '../../src/lib/timers.ts';

beforeEach(() => {
	vi.useFakeTimers();
});

afterEach(() => {
	vi.useRealTimers();
});

test('timers that were begun at different moments ring together', () => {
	const rang: string[] = [];
	const stops = [1000, 1000, 3000].map((everyMs, index) => {
		vi.advanceTimersByTime(130);
		return atMultiples(everyMs, () => rang.push(`${index} at ${performance.now()}`));
	});
	const wake = (ms: number): number => Math.ceil(ms / 1000) * 1000;
	const first = wake(performance.now());
	vi.advanceTimersByTime(first - performance.now());
	expect(rang.slice(0, 2)).toEqual([`0 at ${first}`, `1 at ${first}`]);
	rang.length = 0;
	vi.advanceTimersByTime(6000);
	expect(rang.filter(text => text.startsWith('0'))).toHaveLength(6);
	expect(rang.filter(text => text.startsWith('2'))).toHaveLength(2);
	expect(new Set(rang.map(text => text.split(' at ')[1])).size).toBe(6);
	for (const stop of stops) {
		stop();
	}

	rang.length = 0;
	vi.advanceTimersByTime(6000);
	expect(rang).toEqual([]);
});

test('a timer that rang a fraction too early doesn’t ring twice', () => {
	vi.advanceTimersByTime(1000 - (performance.now() % 1000) - 1);
	expect(untilMultiple(1000)).toBeCloseTo(1001);
	vi.advanceTimersByTime(2);
	expect(untilMultiple(1000)).toBeCloseTo(999);
});
