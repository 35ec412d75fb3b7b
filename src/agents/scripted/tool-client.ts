import {createInterface} from 'node:readline';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import {execa} from 'execa';
import {z} from 'zod';
import {endInput, writeTo} from '../../lib/process/pipe.ts';
import {serverEnvironment} from '../turn.ts';
import {playerName} from './scene.ts';

/** A call of a tool, and the server that the agent got for it. */
type ToolCall = {
	readonly server: McpServerStdio;
	readonly directory: string;
	readonly name: string;
	readonly fields: Readonly<Record<string, unknown>>;
	/** Aborts when the turn is ended. */
	readonly signal: AbortSignal;
};

export type ToolResult = {readonly text: string; readonly isError: boolean};

/**
Calls a tool of a server over the Model Context Protocol, in a server process for this call only.

It implements only the part of the protocol for one call: the official client would be much larger than the rest of this agent.
*/
export const callTool = async (call: ToolCall): Promise<ToolResult> => {
	const {server, directory, name, fields, signal} = call;
	const child = execa(server.command, server.args, {
		cwd: directory,
		env: serverEnvironment(server),
		reject: false,
		stderr: 'ignore',
		cancelSignal: signal,
	});
	const send = (message: object): void => {
		writeTo(child.stdin, `${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
	};

	send({id: 1, method: 'initialize', params: introduction});
	for await (const line of createInterface({input: child.stdout})) {
		const {id, result, error} = messageSchema.parse(JSON.parse(line));
		if (id === 1) {
			send({method: 'notifications/initialized'});
			send({id: 2, method: 'tools/call', params: {name, arguments: fields}});
		} else if (id === 2) {
			endInput(child.stdin);
			return result === undefined ? failed(error?.message) : resultOf(result);
		}
	}

	return failed('the server ended before it answered');
};

const introduction = {
	protocolVersion: '2025-06-18',
	capabilities: {},
	clientInfo: {name: playerName, version: '1'},
};

const messageSchema = z.object({
	id: z.number().optional(),
	result: z.unknown().optional(),
	error: z.object({message: z.string()}).optional(),
});

const resultSchema = z.object({
	content: z.array(z.object({text: z.string()})),
	isError: z.boolean().default(false),
});

const resultOf = (result: unknown): ToolResult => {
	const {content, isError} = resultSchema.parse(result);
	return {text: content.map(({text}) => text).join('\n'), isError};
};

const failed = (why = 'no reason was given'): ToolResult => ({text: why, isError: true});
