#!/usr/bin/env bash
# Guess: a tool whose input is a union, a record or an object with a transform is listed by MCP's TypeScript SDK with its JSON Schema,
# or refused by registerTool. Zod writes each of them as JSON Schema.
# What happens: version 1 lists the tool as one that takes nothing: an object without properties. Nothing says so. Its own check goes
# by the true schema, so a test that calls the tool with good arguments passes; the model, which sees the list alone, calls it
# with none and is refused, for want of names it was never told. Version 2 lists all of them whole.
# Who it hurts: authors of tools with a discriminated union ("either a path or a URL"), and their users, whose model guesses.
# What to know: in version 1 let the input be a plain z.object, with the union below a property. Have a test read the list.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7
own_home
run_module <<'JS'
import {Client as Client1} from '@modelcontextprotocol/sdk/client/index.js';
import {InMemoryTransport as Pair1} from '@modelcontextprotocol/sdk/inMemory.js';
import {McpServer as Server1} from '@modelcontextprotocol/sdk/server/mcp.js';
import {Client as Client2} from '@modelcontextprotocol/client';
import {InMemoryTransport as Pair2, McpServer as Server2} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {same} from './acp.mjs';

const path = z.object({kind: z.literal('path'), path: z.string()});
const url = z.object({kind: z.literal('url'), url: z.string()});
const file = z.object({path: z.string()});
const schemas = {
	'a plain object': [file, {path: 'a'}, 'path'],
	'an object with a refinement': [file.refine(({path}) => path !== ''), {path: 'a'}, 'path'],
	'a discriminated union': [z.discriminatedUnion('kind', [path, url]), {kind: 'path', path: 'a'}, 'nothing'],
	'an intersection': [z.intersection(file, z.object({line: z.number()})), {path: 'a', line: 1}, 'nothing'],
	'a record': [z.record(z.string(), z.string()), {path: 'a'}, 'nothing'],
	'an object with a transform': [file.transform(value => value), {path: 'a'}, 'nothing'],
	'a lazy object': [z.lazy(() => file), {path: 'a'}, 'nothing'],
};
const names = ({properties = {}, oneOf = [], additionalProperties}) => {
	const all = [properties, ...oneOf.map(it => it.properties)].flatMap(Object.keys);
	return all.length > 0 ? [...new Set(all)].join(' ') : additionalProperties?.type ? 'any name' : 'nothing';
};
const whole = {
	'a discriminated union': 'kind path url',
	'an intersection': 'path line',
	'a record': 'any name',
	'an object with a transform': 'path',
	'a lazy object': 'path',
};

for (const [version, Server, Client, Pair] of [[1, Server1, Client1, Pair1], [2, Server2, Client2, Pair2]]) {
	for (const [name, [inputSchema, good, listed]] of Object.entries(schemas)) {
		const server = new Server({name: 'lab', version: '1.0.0'});
		server.registerTool('open', {inputSchema}, () => ({content: [{type: 'text', text: 'opened'}]}));
		const client = new Client({name: 'client', version: '1.0.0'});
		const [here, there] = Pair.createLinkedPair();
		await Promise.all([server.connect(here), client.connect(there)]);
		const {tools} = await client.listTools();
		const expected = version === 1 ? listed : (whole[name] ?? listed);
		same(`${version}: ${name}: listed names`, expected, names(tools[0].inputSchema));
		const call = async args => {
			const {isError, content} = await client.callTool({name: 'open', arguments: args});
			return isError ? 'refused' : content[0].text;
		};
		const calls = `${await call(good)}, ${await call({})}`;
		same(`${version}: ${name}: with arguments, with none`, name === 'a record' ? 'opened, opened' : 'opened, refused', calls);
		await client.close();
	}
}
JS
