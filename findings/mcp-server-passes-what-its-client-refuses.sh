#!/usr/bin/env bash
# Guess: a server of MCP's TypeScript SDK checks a tool's structured result by the tool's output schema, so what it lets pass
# its own SDK's client takes: both go by one schema.
# What happens: the server lets Zod check, which passes over properties that the schema doesn't name and fills in defaults, and
# then sends the result as the tool gave it, neither trimmed nor filled. What it tells the client is stricter: no other
# properties, and those with a default are required. So the client refuses the result as an error, once it has listed the
# tools; before that it takes the same. It is so in version 1 and in 2. Of three agents Gemini calls the tool failed and gives
# its model neither its words nor its data; Claude and Codex don't check, and it's completed.
# Who it hurts: anyone who returns a row of a database or another service's answer by a schema of the fields that matter: the tool
# has done its work, the model is told that it failed, and does it again. The server's own tests and log are clean.
# What to know: return schema.parse(result), which trims and fills in, or make the schema a z.looseObject.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 \
	zod@4.6.7 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 @google/gemini-cli@0.61.0
own_home
cat >"$T/server.mjs" <<'JS'
import {writeFileSync} from 'node:fs';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {z} from 'zod';

const server = new McpServer({name: 'lab', version: '1.0.0'});
server.registerTool(
	'order',
	// Claude declares such a tool to its model at once.
	{description: 'Places an order', outputSchema: {id: z.number()}, _meta: {'anthropic/alwaysLoad': true}},
	() => {
		writeFileSync(process.argv[2], 'placed');
		return {content: [{type: 'text', text: 'Placed'}], structuredContent: {id: 7, state: 'new'}};
	},
);
await server.connect(new StdioServerTransport());
JS
run_module <<'JS'
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Client as Client2} from '@modelcontextprotocol/client';
import {Client as Client1} from '@modelcontextprotocol/sdk/client/index.js';
import {InMemoryTransport as Pair1} from '@modelcontextprotocol/sdk/inMemory.js';
import {McpServer as Server1} from '@modelcontextprotocol/sdk/server/mcp.js';
import {InMemoryTransport as Pair2, McpServer as Server2} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {open, same, sleep} from './acp.mjs';

const tools = {
	more: [z.object({id: z.number()}), {id: 7, state: 'new'}],
	fewer: [z.object({id: z.number(), state: z.string().default('new')}), {id: 7}],
	trimmed: [z.object({id: z.number()}), z.object({id: z.number()}).parse({id: 7, state: 'new'})],
	loose: [z.looseObject({id: z.number()}), {id: 7, state: 'new'}],
};
const refusal = "Structured content does not match the tool's output schema: data must";
const expected = [
	['more', `${refusal} NOT have additional properties`],
	['fewer', `${refusal} have required property 'state'`],
	['trimmed', '{"id":7}'],
	['loose', '{"id":7,"state":"new"}'],
];

for (const [version, Server, Client, Pair] of [[1, Server1, Client1, Pair1], [2, Server2, Client2, Pair2]]) {
	const server = new Server({name: 'lab', version: '1.0.0'});
	for (const [name, [outputSchema, structuredContent]] of Object.entries(tools)) {
		server.registerTool(name, {outputSchema}, () => ({content: [], structuredContent}));
	}

	const client = new Client({name: 'client', version: '1.0.0'});
	const [here, there] = Pair.createLinkedPair();
	await Promise.all([server.connect(here), client.connect(there)]);
	const call = name =>
		client.callTool({name, arguments: {}}).then(
			({structuredContent}) => JSON.stringify(structuredContent),
			error => error.message.replace('MCP error -32602: ', ''),
		);
	if (version === 1) same('1: more, before the tools are listed', '{"id":7,"state":"new"}', await call('more'));
	await client.listTools();
	for (const [name, seen] of expected) same(`${version}: ${name}`, seen, await call(name));
	await client.close();
}

const results = {claude: 'completed, the data', codex: 'completed, the data', gemini: 'failed, nothing'};
for (const name of ['claude', 'codex', 'gemini']) {
	const placed = join(process.cwd(), `placed-by-${name}`);
	const args = [join(process.cwd(), 'server.mjs'), placed];
	const agent = await open(name, n => ({parts: n === 1 ? [{use: 'order'}] : ['done']}), {
		...(name === 'claude' ? {mode: 'default'} : {}),
		// In its other modes it asks its model for leave.
		env: {INITIAL_AGENT_MODE: 'agent-full-access'},
		mcpServers: [{name: 'lab', command: process.execPath, args, env: []}],
	});
	await sleep(3000);
	await agent.prompt('Order it');
	const {status} = agent.events.findLast(({update}) => update?.status).update;
	const {body} = agent.events.filter(({kind, isTurn}) => kind === 'request' && isTurn)[1];
	const last = JSON.stringify((body.messages ?? body.input ?? body.contents).at(-1));
	const data = /id\\*":7|Placed/.test(last) ? 'the data' : 'nothing';
	same(`${name}: the tool, the call, the model has`, `placed, ${results[name]}`, `${readFileSync(placed, 'utf8')}, ${status}, ${data}`);
	await agent.close();
}

process.exit();
JS
