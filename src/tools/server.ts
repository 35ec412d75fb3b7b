import {
	type CallToolResult,
	McpServer,
	type ServerContext,
	type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {asFailure} from '../lib/failure.ts';
import type {Schema, Tool, ToolFields} from '../signals/definition.ts';
import {signals} from '../signals/index.ts';
import {type ToolAccess, toolServerName} from './access.ts';
import {callSupervisor} from './call-supervisor.ts';
import {showProgress} from './progress.ts';

/**
Serves the tools of one agent over its standard input and output, until its input ends.

It knows nothing but the way to the supervisor: what a call means is decided there.
*/
export const serveTools = (access: ToolAccess, version: string): void => {
	serveStdio(() => {
		const server = new McpServer({name: toolServerName, version}, {capabilities: {tools: {}}});
		for (const {tool} of signals) {
			if (tool !== undefined) {
				addTool(server, access, tool);
			}
		}

		return server;
	});
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
		const {message, hint} = asFailure(error);
		const text = hint === undefined ? message : `${message} Hint: ${hint}`;
		return {content: [{type: 'text', text}], isError: true};
	} finally {
		progress.stop();
	}
};
