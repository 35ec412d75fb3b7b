import {timingSafeEqual} from 'node:crypto';
import {awakeFor} from '../../events/awake.ts';
import type {Body} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';
import {readCall} from '../../signals/call.ts';
import {heardOf} from '../../state/agent/heard.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {type CallResult, callRequest, type HeldNotice} from '../../tools/wire.ts';
import {betweenTurns, heardResult, malformedResult} from './answer-words.ts';
import type {HeldCalls} from './held-calls.ts';

/** Whose call it is, and what hearing it needs. */
export type Hearing = Pick<HeldCalls, 'hold'> & {
	readonly agent: string;
	readonly token: string;
	readonly state: () => State;
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Returns how much of a turn's transcript there is, in bytes. */
	readonly saidBytes: (turn: number) => Promise<number>;
};

/** The other side of a call. */
export type Caller = {
	/** Tells it that a person is waited for. */
	readonly held: (notice: HeldNotice) => void;
	readonly gone: AbortSignal;
};

/** Hears a call as the signal that it is, and returns what came of it; one that asks is held for a person's answer. */
export const hearCall = async (
	hearing: Hearing,
	request: unknown,
	{held, gone}: Caller,
): Promise<CallResult> => {
	const {agent: id, state, append} = hearing;
	const {tool, fields} = readRequest(request, hearing.token);
	const signal = readCall(tool, fields);
	if (signal === undefined) {
		throw new Failure('usage', `There is no tool ${tool}.`);
	}

	// What was told before the call, the start of its turn above all, is believed first.
	await append([]);
	const turn = agentOf(state(), id)?.turn;
	if (turn?.phase !== 'live') {
		return betweenTurns;
	}

	const offset = await hearing.saidBytes(turn.number);
	await append([{kind: 'signal.said', agent: id, turn: turn.number, signal, offset, by: 'tool'}]);
	if (signal.kind === 'malformed') {
		return malformedResult(signal);
	}

	const agent = agentOf(state(), id);
	const items = agent ? heardOf(agent, signal).items : [];
	const listening = agent?.listening.find(call => call.items.some(item => items.includes(item)));
	if (listening === undefined) {
		return heardResult(state(), id, signal);
	}

	const result = hearing.hold({agent: id, signal, items: listening.items, gone});
	held({items: [...listening.items], forMs: awakeFor(state().awake, listening.until)});
	return result;
};

const readRequest = (request: unknown, token: string) => {
	const parsed = callRequest.safeParse(request);
	if (!parsed.success) {
		throw new Failure('usage', 'This is no call of a tool.', {
			hint: 'the agent and its supervisor may be of different versions',
		});
	}

	if (!isSame(parsed.data.token, token)) {
		throw new Failure('refused', 'This token is not the one of this agent.', {
			hint: 'a server of tools that an earlier supervisor started is of no use any more',
		});
	}

	return parsed.data;
};

const isSame = (one: string, other: string): boolean => {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
};
