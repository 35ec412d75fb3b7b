import {z} from 'zod';
import {healthOf} from '../../rules/health.ts';
import type {Loop} from '../loop.ts';
import {readTelemetry, type Telemetry} from '../telemetry.ts';

/** How often the record is written, in milliseconds. */
const everyMs = 30_000;

/** Looks at the clock, and writes how the session is into its telemetry, now and then; returns how to stop. */
export const keepHealthRecord = (
	telemetry: Pick<Telemetry, 'write'>,
	{state, awakeMs, lookAtClock}: Pick<Loop, 'state' | 'awakeMs' | 'lookAtClock'>,
): (() => void) => {
	const timer = setInterval(() => {
		lookAtClock();
		const now = state();
		if (now.session !== null) {
			telemetry.write({kind: 'health', awakeMs: Math.floor(awakeMs()), ...healthOf(now)});
		}
	}, everyMs);
	return () => clearInterval(timer);
};

const recordSchema = z.object({kind: z.literal('health'), awakeMs: z.number().max(8e15)});

/** Returns what a session's own time was when its last record was written; a restart would forget what passed since the last event. */
export const lastRecordedMs = async (telemetry: string): Promise<number> => {
	let last = 0;
	for await (const {awakeMs} of readTelemetry(telemetry, 'health', recordSchema)) {
		last = Math.max(last, awakeMs);
	}

	return last;
};
