import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import type {McpServer} from '@agentclientprotocol/sdk';
import {createMcpHandler, type McpHttpHandler} from '@modelcontextprotocol/server';
import {isToken, limitUnauthenticated, listen, ownName, patience} from '../lib/loopback.ts';
import {type ToolAccess, toolServerName} from './access.ts';
import {createToolServer} from './server.ts';

/** HTTP access of an agent to its tools, until they are closed. */
export type HttpTools = {
	readonly server: McpServer;
	readonly close: () => void;
};

/**
Serves the tools of one agent on this machine only, by HTTP, for a program that starts no servers itself.

Any user of the machine can connect, so each request must have the agent’s token; pages in a browser are refused.
*/
export const serveToolsOverHttp = async (
	access: ToolAccess,
	{version, onListed}: {readonly version: string; readonly onListed: () => void},
): Promise<HttpTools> => {
	const handler = createMcpHandler(() => createToolServer(access, version), {
		maxRequestBodySize: mostBytes,
	});
	const server = createServer(patience, (request, response) => {
		if (!isOwn(request, access.token)) {
			response.writeHead(403, {connection: 'close'}).end();
			return;
		}

		trust(request.socket);
		answer(request, response, {handler, onListed}).catch(() => response.destroy());
	});
	const trust = limitUnauthenticated(server);
	const port = await listen(server, 0);
	return {
		server: {
			type: 'http',
			name: toolServerName,
			url: `http://127.0.0.1:${port}/mcp`,
			headers: [{name: 'Authorization', value: `${scheme}${access.token}`}],
		},
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
};

/** Maximum size of a call, the same as over the socket. */
const mostBytes = 1024 ** 2;

const scheme = 'Bearer ';

const isOwn = (
	{headers: {host = '', origin, authorization = ''}}: IncomingMessage,
	token: string,
): boolean =>
	ownName.test(host) && origin === undefined && isToken(`${scheme}${token}`, authorization);

const answer = async (
	request: IncomingMessage,
	response: ServerResponse,
	{handler, onListed}: {readonly handler: McpHttpHandler; readonly onListed: () => void},
): Promise<void> => {
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	const {method = 'GET', url = '/', headers} = request;
	const asked = new Request(new URL(url, 'http://127.0.0.1'), {
		method,
		headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
			typeof value === 'string' ? [[name, value]] : [],
		),
		...(method === 'POST' ? {body: Readable.toWeb(request), duplex: 'half'} : {}),
		signal: gone.signal,
	});
	const copy = asked.clone();
	const answered = await handler.fetch(asked);
	response.writeHead(answered.status, Object.fromEntries(answered.headers));
	await (answered.body === null
		? response.end()
		: pipeline(Readable.fromWeb(answered.body), response));
	if (answered.ok && (await copy.text()).includes('"tools/list"')) {
		onListed();
	}
};
