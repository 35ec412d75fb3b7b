import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createPublisher} from '../../../src/client/store/publisher.ts';

beforeEach(() => {
	vi.useFakeTimers();
});

afterEach(() => {
	vi.useRealTimers();
});

const publishing = () => {
	const told: number[] = [];
	const publisher = createPublisher(() => {});
	publisher.subscribe(() => told.push(performance.now()));
	return {publisher, told};
};

test('what is new after a quiet while is told at once, what follows at most every 66 ms', async () => {
	const {publisher, told} = publishing();
	const start = performance.now();
	for (let ms = 0; ms < 200; ms++) {
		publisher.touch();
		await vi.advanceTimersByTimeAsync(1);
	}

	const pauses = told.map((at, index) => at - (told[index - 1] ?? Number.NEGATIVE_INFINITY));
	expect((told[0] ?? Number.NaN) - start).toBeLessThanOrEqual(1);
	expect(Math.min(...pauses)).toBeGreaterThanOrEqual(66);
	expect(told).toHaveLength(4);
});

test('a flush tells at once, and only when there is something to tell', () => {
	const {publisher, told} = publishing();
	publisher.flush();
	expect(told).toHaveLength(0);
	publisher.touch();
	publisher.flush();
	publisher.flush();
	expect(told).toHaveLength(1);
});

test('what comes after the end is told to nobody, and no timer is left', () => {
	const {publisher, told} = publishing();
	publisher.close();
	publisher.touch();
	expect(vi.getTimerCount()).toBe(0);
	publisher.flush();
	expect(told).toHaveLength(0);
});
