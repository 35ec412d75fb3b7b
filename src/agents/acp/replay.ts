import {setImmediate as nextTurn, setTimeout} from 'node:timers/promises';
import type {ContentChunk, SessionUpdate} from '@agentclientprotocol/sdk';
import type {Connection} from './connection.ts';
import {cancelled} from './permission/permission-request.ts';
import type {Quirks} from './quirks.ts';

/** Words of one side in a conversation, up to the other side's. */
export type Spoken = {readonly by: 'person' | 'agent'; readonly text: string};

type Replay = {
	/** Resolves with the words once an agent that has answered has replayed all of them. */
	readonly over: (signal: AbortSignal) => Promise<readonly Spoken[]>;
};

/** Resolves after so many milliseconds, or rejects when `signal` aborts before. */
export type WaitMs = (ms: number, signal: AbortSignal) => Promise<void>;

export const waitOut: WaitMs = (ms, signal) => setTimeout(ms, undefined, {signal});

/** Silence after which a replay counts as over, in milliseconds. */
const quietMs = 50;

/** The same for an agent that is known to replay after its answer; by then its last update has most likely come. */
const lateQuietMs = 5000;

/**
Records an agent's replay of an earlier conversation, without acting on it.

According to the protocol, the replay comes before the answer to `session/load`; some agents answer first. An old question that counted as a new one would be asked again, and an old report would end the agent in the middle of its work. An agent that sends a list of commands sends it last; otherwise the replay is over when the agent is quiet.
*/
export const hearReplay = (
	connection: Pick<Connection, 'listen'>,
	{playsLate = false}: Pick<Quirks, 'playsLate'>,
	wait: WaitMs,
): Replay => {
	let heard = 0;
	const said: Spoken[] = [];
	const closed = Promise.withResolvers<void>();
	connection.listen({
		update: update => {
			heard += 1;
			keepWords(said, update);
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
			// First handle the updates that came while this process was busy.
			await nextTurn();
		}
	};

	return {
		over: async signal => {
			const settled = new AbortController();
			const either = AbortSignal.any([signal, settled.signal]);
			try {
				await Promise.race([closed.promise, quiet(either)]);
				return said;
			} finally {
				settled.abort();
				connection.listen(undefined);
			}
		},
	};
};

const isLast = ({sessionUpdate}: SessionUpdate): boolean =>
	sessionUpdate === 'available_commands_update';

const keepWords = (said: Spoken[], update: SessionUpdate): void => {
	switch (update.sessionUpdate) {
		case 'user_message_chunk':
			add(said, 'person', update);
			break;
		case 'agent_message_chunk':
			add(said, 'agent', update);
			break;
		default:
	}
};

const add = (said: Spoken[], by: Spoken['by'], {content}: ContentChunk): void => {
	if (content.type !== 'text') {
		return;
	}

	const last = said.at(-1);
	if (last?.by === by) {
		said[said.length - 1] = {by, text: last.text + content.text};
	} else {
		said.push({by, text: content.text});
	}
};
