import type {BodyOf} from '../events/event.ts';
import type {RestartFinding, Sandbox} from '../events/kinds/machine-event.ts';
import {defined} from '../lib/defined.ts';
import type {Containment} from '../lib/process/containment.ts';

/** Returns the first words of this supervisor: that it is here, what its machine allows, and what a crash had left. */
export const supervisorStarted = (
	containment: Containment,
	version: string,
	found?: RestartFinding,
): BodyOf<'supervisor.started'> => ({
	kind: 'supervisor.started',
	pid: process.pid,
	version,
	sandbox: sandboxOf(containment),
	...defined({found}),
});

/**
Returns how far an agent is kept from what is not its business, by what this machine allows.

Files are not shut off at any level, and it must not sound as if they were.
*/
export const sandboxOf = ({level, why}: Containment): Sandbox =>
	level === 'namespace'
		? {
				level: 'processes',
				why: `All that an agent starts ends with it (${why}). Its files are not shut off: it runs with your rights, and what leaves a scope is reverted.`,
			}
		: {
				level: 'none',
				why: `Agents run with your rights; what leaves a scope is reverted. What an agent starts is looked for and ended, but can hide: ${why}.`,
			};
