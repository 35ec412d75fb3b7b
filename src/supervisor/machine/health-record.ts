import {healthOf} from '../../rules/health.ts';
import type {State} from '../../state/state.ts';
import type {Telemetry} from '../telemetry.ts';

/** How often the record is written, in milliseconds. */
const everyMs = 30_000;

/** Writes how the session is into its telemetry, now and then; returns how to stop. */
export const keepHealthRecord = (
	telemetry: Pick<Telemetry, 'write'>,
	state: () => State,
): (() => void) => {
	const timer = setInterval(() => {
		const now = state();
		if (now.session !== null) {
			telemetry.write({kind: 'health', ...healthOf(now)});
		}
	}, everyMs);
	return () => clearInterval(timer);
};
