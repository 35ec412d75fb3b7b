import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {ModelLimit} from '../../events/model-trouble.ts';
import {defined} from '../../lib/values.ts';
import type {Detail} from '../acp/speech/activity.ts';

/**
An event in a line of an agent's JSON stream.

Events that exist in the Agent Client Protocol are converted to it, so that the same code handles them.
*/
export type StreamEvent =
	| {readonly kind: 'update'; readonly update: SessionUpdate}
	| {readonly kind: 'detail'; readonly detail: Detail}
	/** A limit was met; `undefined` if the last one no longer applies. */
	| {readonly kind: 'limit'; readonly limit: ModelLimit | undefined}
	/** The run failed, whatever the exit code of the process is. */
	| {readonly kind: 'failure'; readonly cause: string};

/** Parses a JSON line of a stream; ignores unknown events. */
export type ReadLine = (line: unknown) => readonly StreamEvent[];

/** Returns words of the agent; `message` distinguishes its messages. */
export const said = (text: string, message?: string): StreamEvent => ({
	kind: 'update',
	update: {
		sessionUpdate: 'agent_message_chunk',
		content: {type: 'text', text},
		...defined({messageId: message}),
	},
});

/** Returns an update of a tool call in the form of the protocol; its input may have any shape. */
export const tool = (news: {
	readonly id: string;
	readonly title?: string | undefined;
	readonly kind?: ToolKind | undefined;
	readonly status: 'in_progress' | 'completed' | 'failed';
	readonly input?: unknown;
	/** Output of the tool. */
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

/** Returns an error that the agent reports; omits an empty text. */
export const trouble = (about: string, text: string | undefined): readonly StreamEvent[] =>
	text === undefined || text === ''
		? []
		: [detail({kind: 'trouble', about, text: text.slice(0, maximumLength)})];

const maximumLength = 2000;

/** Optional text; any other value counts as absent. */
export const someText = z.string().optional().catch(undefined);

/** Optional count or amount; any other value counts as absent. */
export const someNumber = z
	.number()
	.nonnegative()
	.max(Number.MAX_SAFE_INTEGER)
	.optional()
	.catch(undefined);

/** Returns token counts without the missing ones. */
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
