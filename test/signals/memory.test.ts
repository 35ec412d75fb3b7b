import {expect, test} from 'vitest';
import {runSignals} from '../../scripts/bench/signals.ts';

const megabyte = 1_000_000;

test.each([
	['lines', 'work log'],
	['one line', 'one line'],
] as const)('64 MB of %s are read in bounded memory, far below 200 MB', async (_, kind) => {
	const {peakMiB} = await runSignals(kind, 64 * megabyte);
	expect(peakMiB).toBeGreaterThan(20);
	// A reader that kept the line would need 170, most others far more; the program alone takes 90.
	expect(peakMiB).toBeLessThan(150);
});

test('signals without end are read in bounded memory, too', async () => {
	const {peakMiB, found} = await runSignals('signals', megabyte);
	expect(found).toBeGreaterThan(10_000);
	expect(peakMiB).toBeLessThan(300);
});
