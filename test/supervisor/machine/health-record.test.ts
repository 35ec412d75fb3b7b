import {afterEach, expect, it, vi} from 'vitest';
import {keepHealthRecord} from '../../../src/supervisor/machine/health-record.ts';
import type {TelemetryEntry} from '../../../src/supervisor/telemetry.ts';
import {working} from '../../helpers/given.ts';

afterEach(() => {
	vi.useRealTimers();
});

it('is written every half minute, until the session is over', () => {
	vi.useFakeTimers();
	const written: TelemetryEntry[] = [];
	const session = working(['AGT-001', 'AGT-002']);
	const stop = keepHealthRecord({write: entry => written.push(entry)}, session.state);
	vi.advanceTimersByTime(29_999);
	expect(written).toEqual([]);
	vi.advanceTimersByTime(30_001);
	expect(written).toHaveLength(2);
	expect(written[0]).toMatchObject({kind: 'health', running: 2, queued: 0, registrySize: 2});
	stop();
	vi.advanceTimersByTime(300_000);
	expect(written).toHaveLength(2);
});
