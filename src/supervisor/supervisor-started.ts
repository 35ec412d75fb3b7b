import type {BodyOf} from '../events/event.ts';
import type {Sandbox} from '../events/machine-event.ts';
import type {ProcessLayer} from '../lib/process-layer.ts';

/** Returns the first words of this supervisor: that it is here, and what its machine allows. */
export const supervisorStarted = (
	layer: ProcessLayer,
	version: string,
): BodyOf<'supervisor.started'> => ({
	kind: 'supervisor.started',
	pid: process.pid,
	version,
	sandbox: sandboxOf(layer),
});

/** Files are not shut off at any level, and it must not sound as if they were. */
const sandboxOf = ({level, why}: ProcessLayer): Sandbox =>
	level === 'namespace'
		? {
				level: 'processes',
				why: `All that an agent starts ends with it (${why}). Its files are not shut off: it runs with your rights, and what leaves a scope is put back.`,
			}
		: {
				level: 'none',
				why: `Agents run with your rights; what leaves a scope is put back. What an agent starts is looked for and ended, but can hide: ${why}.`,
			};
