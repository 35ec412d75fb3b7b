import {
	type CallToolResult,
	McpServer,
	type ServerContext,
	type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {connect} from '../control/send.ts';
import {asFailure, type Failure} from '../lib/failure.ts';
import type {Definition, Schema, Tool, ToolFields} from '../signals/definition.ts';
import {signals} from '../signals/index.ts';
import {toolReminder} from '../signals/instructions.ts';
import {
	type CallResult,
	callResult,
	type HeldNotice,
	heldNotice,
	type ToolAccess,
	toolServerName,
} from './access.ts';

/**
Serves the tools of one agent over its standard input and output, until its input ends.

It knows nothing but the way to the supervisor: what a call means is decided there.
*/
export const serveTools = (access: ToolAccess, version: string): void => {
	serveStdio(() => createToolServer(access, version));
};

/** Creates the server with the tools of these signals. */
export const createToolServer = (
	access: ToolAccess,
	version: string,
	definitions: readonly Definition[] = signals,
): McpServer => {
	const server = new McpServer(
		{name: toolServerName, version},
		{capabilities: {tools: {}}, instructions: toolReminder(definitions)},
	);
	for (const {tool} of definitions) {
		if (tool !== undefined) {
			addTool(server, access, tool);
		}
	}

	return server;
};

const addTool = (server: McpServer, access: ToolAccess, {name, help, schema}: Tool): void => {
	server.registerTool(
		name,
		{description: help, inputSchema: unjudged(schema), _meta: alwaysShown},
		(fields, context) => call(access, name, fields, context),
	);
};

/** Claude Code hides tools from its model until the model searches for them, but for those that say this of themselves. */
const alwaysShown = {'anthropic/alwaysLoad': true};

/** Shows a schema and takes whatever comes: the supervisor judges it, and keeps what can't be read. */
const unjudged = (schema: Schema): StandardSchemaWithJSON<ToolFields> => ({
	'~standard': {
		version: 1,
		vendor: toolServerName,
		validate: fields => ({value: Object(fields)}),
		jsonSchema: {input: () => ({...schema}), output: () => ({...schema})},
	},
});

const call = async (
	access: ToolAccess,
	tool: string,
	fields: ToolFields,
	{mcpReq}: ServerContext,
): Promise<CallToolResult> => {
	const progress = showProgress(mcpReq);
	try {
		const {text, isError} = await callSupervisor(access, {
			tool,
			fields,
			signal: mcpReq.signal,
			onHeld: progress.start,
		});
		return {content: [{type: 'text', text}], isError};
	} catch (error) {
		return {content: [{type: 'text', text: unheard(asFailure(error))}], isError: true};
	} finally {
		progress.stop();
	}
};

/** Hints are for people; an agent whose supervisor is gone does best to end its turn, and is told all it must know by the next prompt. */
const unheard = ({kind, message, hint}: Failure): string => {
	if (kind === 'missing') {
		return `Nobody hears you now: ${message} Print what you have to say as a signal, and end your turn; you will be prompted again.`;
	}

	return hint === undefined ? message : `${message} Hint: ${hint}`;
};

/** One call of a tool. */
export type Call = {
	readonly tool: string;
	readonly fields: ToolFields;
	/** Aborted when nobody waits for the result any more. */
	readonly signal: AbortSignal;
	/** Called when the supervisor holds the call open. */
	readonly onHeld: (notice: HeldNotice) => void;
};

/**
Asks the supervisor what comes of a call.

Each call has a connection of its own: when it ends, the supervisor knows that nobody listens, and keeps the answer for the agent's next prompt.
*/
export const callSupervisor = async (
	{socket, token}: ToolAccess,
	{tool, fields, signal, onHeld}: Call,
): Promise<CallResult> => {
	const control = await connect(socket);
	signal.addEventListener('abort', control.close, {once: true});
	try {
		signal.throwIfAborted();
		const result = await control.request({token, tool, fields}, part => {
			onHeld(heldNotice.parse(part));
		});
		return callResult.parse(result);
	} finally {
		signal.removeEventListener('abort', control.close);
		control.close();
	}
};

/** Shows the other side that a call is alive while a person is waited for. */
export type ProgressShown = {
	readonly start: (notice: HeldNotice) => void;
	readonly stop: () => void;
};

/** How often a sign of life is given, in milliseconds. */
const everyMs = 5000;

/** Creates what tells a client the seconds it has waited, if it asked for progress. */
const showProgress = ({
	_meta,
	notify,
}: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>): ProgressShown => {
	const progressToken = _meta?.progressToken;
	let timer: NodeJS.Timeout | undefined;
	return {
		start: ({items, forMs}) => {
			if (progressToken === undefined) {
				return;
			}

			const since = performance.now();
			const message = `A person is asked: ${items.join(', ')}`;
			const total = Math.round(forMs / 1000);
			const send = (): void => {
				const progress = Math.round((performance.now() - since) / 1000);
				const params = {progressToken, progress, total, message};
				notify({method: 'notifications/progress', params}).catch(() => {});
			};

			send();
			timer = setInterval(send, everyMs);
		},
		stop: () => clearInterval(timer),
	};
};
