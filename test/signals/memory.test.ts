import {expect, test} from 'vitest';
import {runSignals} from '../../scripts/bench/signals.ts';

const megabyte = 1_000_000;

test.each([
	['lines', 'work log', 64],
	['one line', 'one line', 256],
] as const)(
	'many megabytes of %s are read in less than 200 MB of memory',
	async (_, kind, size) => {
		const {peakMiB} = await runSignals(kind, size * megabyte);
		expect(peakMiB).toBeGreaterThan(20);
		// The program alone takes 90. A reader that kept its lines would need far more than the bound.
		expect(peakMiB).toBeLessThan(190);
	},
);

test('signals without end are read in bounded memory, too', async () => {
	const {peakMiB, found} = await runSignals('signals', megabyte);
	expect(found).toBeGreaterThan(10_000);
	expect(peakMiB).toBeLessThan(300);
});

test('the memory of whoever starts the reader is not counted as its own', async () => {
	const ours = Buffer.alloc(400 * megabyte, 1);
	const {peakMiB} = await runSignals('work log', megabyte);
	expect(peakMiB).toBeLessThan(ours.length / 1024 ** 2);
});
