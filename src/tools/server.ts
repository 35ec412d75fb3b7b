import {
	type CallToolResult,
	McpServer,
	type ServerContext,
	type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {asFailure, type Failure} from '../lib/failure.ts';
import type {Definition, Schema, Tool, ToolFields} from '../signals/definition.ts';
import {signals} from '../signals/index.ts';
import {toolReminder} from '../signals/tool-instructions.ts';
import {type ToolAccess, toolServerName} from './access.ts';
import {callSupervisor} from './call-supervisor.ts';
import {showProgress} from './progress.ts';

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
