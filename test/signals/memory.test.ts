import {expect, test} from 'vitest';
import {runSignals} from '../../scripts/bench/signals.ts';

const megabyte = 1_000_000;

test.each([
	['lines', 'work log'],
	['one line', 'one line'],
] as const)('64 MB of %s are read in less than 200 MB of memory', async (_, kind) => {
	const {peakMiB} = await runSignals('parser', kind, 64 * megabyte);
	expect(peakMiB).toBeGreaterThan(20);
	expect(peakMiB).toBeLessThan(200);
});

test('signals without end are read in bounded memory, too', async () => {
	const {peakMiB, found} = await runSignals('parser', 'signals', megabyte);
	expect(found).toBeGreaterThan(10_000);
	expect(peakMiB).toBeLessThan(300);
});
