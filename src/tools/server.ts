import {
	type CallToolResult,
	McpServer,
	type ServerContext,
	type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import {StdioServerTransport, serveStdio} from '@modelcontextprotocol/server/stdio';
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

/** Serves the tools of one agent over stdio, until stdin ends. The supervisor interprets the calls. */
export const serveTools = (access: ToolAccess, version: string): void => {
	const transport = new StdioServerTransport();
	const send = transport.send.bind(transport);
	let isTold = false;
	transport.send = async message => {
		await send(message);
		if (!isTold && 'result' in message && 'tools' in message.result) {
			isTold = true;
			void tellRunning(access);
		}
	};
	serveStdio(() => createToolServer(access, version), {transport});
};

/** Reports to the supervisor that the agent has the tools, with a request that ends with the server. */
const tellRunning = async ({socket, token}: ToolAccess): Promise<void> => {
	const control = await connect(socket).catch(() => undefined);
	process.stdin.once('close', () => control?.close());
	await control?.request({token, runs: true}).catch(() => {});
};

/** Returns the server with the tools of these signals. */
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

/** Metadata that keeps Claude Code from hiding a tool until its model searches for it. */
const alwaysShown = {'anthropic/alwaysLoad': true};

/** Returns a schema that accepts anything: the supervisor validates it, and stores invalid calls. */
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

/** Returns the text for an agent whose supervisor is gone: it should end its turn, and the next prompt tells it everything. */
const unheard = ({kind, message, hint}: Failure): string => {
	if (kind === 'missing') {
		return `Nobody hears you now: ${message} Print what you have to say as a signal, and end your turn; you will be prompted again.`;
	}

	return hint === undefined ? message : `${message} Hint: ${hint}`;
};

/** One call of a tool. */
type Call = {
	readonly tool: string;
	readonly fields: ToolFields;
	/** Aborted when the client no longer waits for the result. */
	readonly signal: AbortSignal;
	readonly onHeld: (notice: HeldNotice) => void;
};

/** Sends a call to the supervisor. Each call has a connection of its own: when it ends, the supervisor keeps the answer for the agent's next prompt. */
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

/** Sends progress notifications during the wait for a person. */
export type ProgressShown = {
	readonly start: (notice: HeldNotice) => void;
	readonly stop: () => void;
};

/** Interval of notifications, in milliseconds. */
const everyMs = 5000;

/** Sends the seconds waited, if the client requested progress. */
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
