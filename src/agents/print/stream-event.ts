import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {ModelLimit} from '../../events/model-trouble.ts';
import {defined} from '../../lib/values.ts';
import type {Detail} from '../acp/speech/activity.ts';

/**
What a line of an agent's JSON stream tells.

Whatever there are words for in the Agent Client Protocol is told in these, so that it is taken in by the same code.
*/
export type StreamEvent =
	| {readonly kind: 'update'; readonly update: SessionUpdate}
	| {readonly kind: 'detail'; readonly detail: Detail}
	/** A limit was met; nothing when the last one holds no more. */
	| {readonly kind: 'limit'; readonly limit: ModelLimit | undefined}
	/** The run came to nothing, whatever the process exits with. */
	| {readonly kind: 'failure'; readonly cause: string};

/** Reads a line of a stream that was JSON; what is not known tells nothing. */
export type ReadLine = (line: unknown) => readonly StreamEvent[];

/** Returns words of the agent; `message` tells them apart from others. */
export const said = (text: string, message?: string): StreamEvent => ({
	kind: 'update',
	update: {
		sessionUpdate: 'agent_message_chunk',
		content: {type: 'text', text},
		...defined({messageId: message}),
	},
});

/** Returns news of a tool call, in the protocol's words; its input may be of any shape. */
export const tool = (news: {
	readonly id: string;
	readonly title?: string | undefined;
	readonly kind?: ToolKind | undefined;
	readonly status: 'in_progress' | 'completed' | 'failed';
	readonly input?: unknown;
	/** What it printed. */
	readonly output?: string | undefined;
}): StreamEvent => ({
	kind: 'update',
	update: {
		sessionUpdate: 'tool_call_update',
		toolCallId: news.id,
		status: news.status,
		...defined({title: news.title, kind: news.kind, rawInput: news.input, rawOutput: news.output}),
	},
});

type ToolKind = 'read' | 'edit' | 'search' | 'execute' | 'fetch' | 'other';

export const detail = (detail: Detail): StreamEvent => ({kind: 'detail', detail});

/** Returns that something went wrong on the way; a text that says nothing is left out. */
export const trouble = (about: string, text: string | undefined): readonly StreamEvent[] =>
	text === undefined || text === ''
		? []
		: [detail({kind: 'trouble', about, text: text.slice(0, maximumLength)})];

const maximumLength = 2000;

/** Text that may be left out, or be anything else, which is as good as left out. */
export const someText = z.string().optional().catch(undefined);

/** A number, likewise. */
export const someNumber = z.number().optional().catch(undefined);

/** Returns counts of tokens without those that were not told. */
export const tokens = (counts: {
	readonly input?: number | undefined;
	readonly output?: number | undefined;
	readonly total?: number | undefined;
	readonly dollars?: number | undefined;
}): readonly StreamEvent[] => {
	const {dollars, ...rest} = counts;
	const cost = dollars === undefined ? undefined : {amount: dollars, currency: 'USD'};
	const known = defined({...rest, cost});
	return Object.keys(known).length === 0 ? [] : [detail({kind: 'tokens', ...known})];
};
