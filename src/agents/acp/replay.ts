import {setImmediate} from 'node:timers/promises';
import type {SessionUpdate} from '@agentclientprotocol/sdk';
import type {Connection} from './connection.ts';
import {cancelled} from './permission/permission-request.ts';
import type {Quirks} from './quirks.ts';

/** Settles after so many milliseconds, or rejects when `signal` aborts before. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** How long an agent must be quiet before what it plays once more counts as over, in milliseconds. */
const quietMs = 50;

/** The same for one that is known to go on after its answer; by then it has most likely given the sign. */
const lateQuietMs = 5000;

/**
Hears what an agent plays once more of an earlier conversation, and drops it.

The protocol wants all of that before the answer to `session/load`; some answer first. An old question that is heard as a new one would be asked again, and an old report would end the agent in the middle of its work. The list of commands comes last, where an agent sends one; otherwise it is over when the agent is quiet.
*/
export const hearReplay = (
	connection: Pick<Connection, 'listen'>,
	{playsLate = false}: Pick<Quirks, 'playsLate'>,
	wait: Wait,
): {readonly over: (signal: AbortSignal) => Promise<void>} => {
	let heard = 0;
	const closed = Promise.withResolvers<void>();
	connection.listen({
		update: update => {
			heard += 1;
			if (isLast(update)) {
				closed.resolve();
			}
		},
		permission: async () => cancelled,
	});

	const quiet = async (signal: AbortSignal): Promise<void> => {
		for (let before = -1; before !== heard; ) {
			before = heard;
			await wait(playsLate ? lateQuietMs : quietMs, signal);
			// What came while this process was busy is handed on before it is looked at.
			await setImmediate();
		}
	};

	return {
		over: async signal => {
			const settled = new AbortController();
			const either = AbortSignal.any([signal, settled.signal]);
			try {
				await Promise.race([closed.promise, quiet(either)]);
			} finally {
				settled.abort();
				connection.listen(undefined);
			}
		},
	};
};

const isLast = ({sessionUpdate}: SessionUpdate): boolean =>
	sessionUpdate === 'available_commands_update';
