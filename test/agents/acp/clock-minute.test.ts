import {expect, test} from 'vitest';
import {untilMinuteAfter} from '../../../src/agents/acp/clock-minute.ts';

test.each([
	['at its beginning', '2026-01-01T10:00:00.000Z', 61_000],
	['within it', '2026-01-01T10:00:40.000Z', 21_000],
	['a moment after it', '2026-01-01T10:01:00.000Z', 1000],
	['a second after it', '2026-01-01T10:01:01.000Z', 0],
	['long after it', '2026-01-01T11:00:00.000Z', 0],
	['by a clock that was set back a day', '2025-12-31T10:00:40.000Z', 61_000],
])('waits until the clock minute of a time is over, and never longer: %s', (_, now, ms) => {
	expect(untilMinuteAfter('2026-01-01T10:00:30.000Z', now)).toBe(ms);
});
