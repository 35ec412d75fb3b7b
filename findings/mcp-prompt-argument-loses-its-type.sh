#!/usr/bin/env bash
# Guess: a prompt of MCP's TypeScript SDK whose argument is a z.number() or z.boolean() is refused by registerPrompt, or takes the
# words "3" and "true", since MCP's prompts have arguments of text alone. And an argument that offers completions
# (`completable`) goes on offering them once `.describe()` has given it the description that people are shown.
# What happens: the prompt is registered and listed, and each use of it is refused: "expected number, received string". A client can
# do nothing right. With `.describe()` or `.default()` behind `completable` the completions are gone without a word: where no other
# argument has any, the server says that it has no such method. With `.describe()` inside it they are there. It is so in versions 1 and 2.
# Who it hurts: authors who write a prompt's arguments as they write those of tools, where numbers work; and people who find a
# prompt in their agent's menu that never runs.
# What to know: take z.coerce.number() or a z.enum(['true', 'false']), and write completable(z.string().describe('…'), …).
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7
own_home
run_module <<'JS'
import {Client as Client1} from '@modelcontextprotocol/sdk/client/index.js';
import {InMemoryTransport as Pair1} from '@modelcontextprotocol/sdk/inMemory.js';
import {completable as completable1} from '@modelcontextprotocol/sdk/server/completable.js';
import {McpServer as Server1} from '@modelcontextprotocol/sdk/server/mcp.js';
import {Client as Client2} from '@modelcontextprotocol/client';
import {InMemoryTransport as Pair2, McpServer as Server2, completable as completable2} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {same} from './acp.mjs';

const message = text => ({messages: [{role: 'user', content: {type: 'text', text}}]});
const refused = error => error.message.replace(/^.*(Invalid input|Method not found)/s, '$1').replace(/ at \w+$/, '');
const sdks = [
	[1, Server1, Client1, Pair1, completable1, shape => shape],
	[2, Server2, Client2, Pair2, completable2, shape => z.object(shape)],
];

for (const [version, Server, Client, Pair, completable, toSchema] of sdks) {
	const prompt = async argument => {
		const server = new Server({name: 'lab', version: '1.0.0'});
		server.registerPrompt('review', {argsSchema: toSchema({value: argument})}, ({value}) => message(`${typeof value} ${value}`));
		const client = new Client({name: 'client', version: '1.0.0'});
		const [here, there] = Pair.createLinkedPair();
		await Promise.all([server.connect(here), client.connect(there)]);
		return client;
	};
	for (const [name, argument, given, expected] of [
		['z.number()', z.number(), '3', 'Invalid input: expected number, received string'],
		['z.boolean()', z.boolean(), 'true', 'Invalid input: expected boolean, received string'],
		['z.coerce.number()', z.coerce.number(), '3', 'number 3'],
	]) {
		const client = await prompt(argument);
		const {prompts} = await client.listPrompts();
		const use = client.getPrompt({name: 'review', arguments: {value: given}});
		same(`${version}: ${name}: listed`, [{name: 'value', required: true}], prompts[0].arguments);
		same(`${version}: ${name}: used with "${given}"`, expected, await use.then(({messages}) => messages[0].content.text, refused));
		await client.close();
	}
	const branches = () => ['main', 'next'];
	for (const [name, argument, expected] of [
		['completable', completable(z.string(), branches), 'main next'],
		['completable, described inside', completable(z.string().describe('A branch'), branches), 'main next'],
		['completable, described outside', completable(z.string(), branches).describe('A branch'), 'Method not found'],
		['completable with a default', completable(z.string(), branches).default('main'), 'Method not found'],
	]) {
		const client = await prompt(argument);
		const asked = client.complete({ref: {type: 'ref/prompt', name: 'review'}, argument: {name: 'value', value: ''}});
		same(`${version}: ${name}`, expected, await asked.then(({completion}) => completion.values.join(' '), refused));
		await client.close();
	}
}
JS
