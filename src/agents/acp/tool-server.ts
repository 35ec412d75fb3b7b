import {z} from 'zod';
import type {AskedPermission} from './permission/permission-request.ts';
import type {ToolCall} from './speech/tool-call.ts';

/**
The server of tools that a call goes to, and whose word that is.

`agent`: the agent's own note beside the call; `input` and `title`: the call's input and title, which are worth nothing by themselves, as a model writes those of most tools.
*/
export type CalledServer = {readonly name: string; readonly from: 'agent' | 'input' | 'title'};

/** Reads the server off news of a tool call; agents that say nothing of it have no standard way to. */
export const calledServer = (news: unknown): CalledServer | undefined => {
	const noted = notedSchema.safeParse(news).data?._meta.claudeCode.mcpServer.name;
	if (noted !== undefined) {
		return {name: noted, from: 'agent'};
	}

	const input = inputSchema.safeParse(news).data?.rawInput.server;
	if (input !== undefined) {
		return {name: input, from: 'input'};
	}

	const titled = titlePattern.exec(titleSchema.safeParse(news).data?.title ?? '')?.[1];
	return titled === undefined ? undefined : {name: titled, from: 'title'};
};

/** Returns whether leave is asked for nothing but a call of a tool that we handed to the agent ourselves. */
export const isOwnTool = (
	servers: readonly string[],
	asked: AskedPermission,
	{server}: ToolCall,
): boolean => server !== undefined && servers.includes(server.name) && isVouchedFor(server, asked);

/** What a model could have written counts only in a request that the agent itself marks as one for a tool of a server. */
const isVouchedFor = (
	{from}: CalledServer,
	{isToolApproval, options}: AskedPermission,
): boolean => {
	switch (from) {
		case 'agent':
			return true;
		case 'input':
			return isToolApproval;
		case 'title':
			return options.some(({id}) => id === wholeServerOption);
	}
};

/** Claude's adapter; a server that a repository's own files name has another source than one that we hand over. */
const notedSchema = z.object({
	_meta: z.object({
		claudeCode: z.object({
			mcpServer: z.object({name: z.string(), source: z.literal('dynamic').optional()}),
		}),
	}),
});

/** Codex's adapter, where such a request for leave is marked, and the call was announced before. */
const inputSchema = z.object({
	rawInput: z.object({server: z.string(), tool: z.string()}),
});

/** Gemini, which only says so in words, and offers to allow the whole server for no other tools. */
const titleSchema = z.object({title: z.string()});

const titlePattern = / \(([^()]+) MCP Server\)$/;

const wholeServerOption = 'proceed_always_server';
