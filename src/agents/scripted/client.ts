import {setTimeout as wait} from 'node:timers/promises';
import {
	type AgentContext,
	methods,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
	type SessionUpdate,
	type ToolKind,
} from '@agentclientprotocol/sdk';

export type ScriptedCall = {
	readonly id: string;
	readonly title: string;
	readonly kind: ToolKind;
	readonly input: Readonly<Record<string, unknown>>;
	readonly path?: string;
	readonly oldText?: string | null;
	readonly newText?: string;
	/** Tool server that it calls. */
	readonly server?: string;
};

/** Whether an action was allowed or refused, or the turn is ending. */
export type Leave = 'allowed' | 'refused' | 'cancelled';

/** The client in a conversation with a scripted agent. */
export type Client = {
	readonly update: (update: SessionUpdate) => Promise<void>;
	readonly say: (text: string) => Promise<void>;
	readonly askLeave: (action: ScriptedCall) => Promise<Leave>;
	/** Reports the progress of an action. */
	readonly mark: (
		action: ScriptedCall,
		status: 'in_progress' | 'completed' | 'failed',
		/** Output of the action. */
		output?: string,
	) => Promise<void>;
	/** Aborts when the turn is ended. */
	readonly signal: AbortSignal;
	/** Waits for a time, or until the turn is ended. */
	readonly pause: (ms: number) => Promise<void>;
	readonly isCancelled: () => boolean;
};

/** Length of the pieces of a message, in characters: models send words, not lines. */
const pieceLength = 23;

const options = [
	{optionId: 'always', name: 'Always allow', kind: 'allow_always'},
	{optionId: 'yes', name: 'Allow', kind: 'allow_once'},
	{optionId: 'no', name: 'Reject', kind: 'reject_once'},
] as const;

/** Returns the client of one prompt; `signal` aborts when the client ends the turn. */
export const clientOf = (
	context: AgentContext,
	sessionId: string,
	messages: () => string,
	signal: AbortSignal,
): Client => {
	const update = (update: SessionUpdate): Promise<void> =>
		context.notify(methods.client.session.update, {sessionId, update});

	return {
		update,
		say: async text => {
			const messageId = messages();
			for (let from = 0; from < text.length; from += pieceLength) {
				await update({
					sessionUpdate: 'agent_message_chunk',
					messageId,
					content: {type: 'text', text: text.slice(from, from + pieceLength)},
				});
			}
		},
		askLeave: async action => {
			const toolCall = announcement(action);
			await update({sessionUpdate: 'tool_call', ...toolCall});
			const asked: RequestPermissionRequest = {sessionId, toolCall, options: [...options]};
			const {outcome}: RequestPermissionResponse = await context.request(
				methods.client.session.requestPermission,
				asked,
			);
			if (outcome.outcome === 'cancelled' || signal.aborted) {
				return 'cancelled';
			}

			return outcome.optionId === 'no' ? 'refused' : 'allowed';
		},
		mark: ({id}, status, output) =>
			update({
				...{sessionUpdate: 'tool_call_update', toolCallId: id, status},
				...(output === undefined ? {} : {rawOutput: {output}}),
			}),
		signal,
		pause: ms => wait(ms, undefined, {signal}).catch(() => {}),
		isCancelled: () => signal.aborted,
	};
};

const announcement = ({
	id,
	title,
	kind,
	input,
	path,
	oldText = null,
	newText,
	server,
}: ScriptedCall) => ({
	toolCallId: id,
	title,
	kind,
	status: 'pending' as const,
	rawInput: input,
	...(server === undefined ? {} : {_meta: {claudeCode: {mcpServer: {name: server}}}}),
	...(path === undefined ? {} : {locations: [{path}]}),
	...(path === undefined || newText === undefined
		? {}
		: {content: [{type: 'diff' as const, path, oldText, newText}]}),
});
