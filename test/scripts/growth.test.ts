import {expect, test} from 'vitest';
import {growing, growthOf} from '../../scripts/bench/growth-costs.ts';

/** Time of the processor is not taken to a millisecond, and what is small costs a little of its own. */
const roomMs = 40;

test.each(growing)('ten times as many $what cost no more than in proportion', async one => {
	for (const {does, ms} of await growthOf(one, 1)) {
		const [before = Number.NaN, now = Number.NaN] = ms;
		// What grows with the square costs a hundred times as much.
		expect(now, does).toBeLessThan(30 * before + roomMs);
	}
});
