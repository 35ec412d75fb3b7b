#!/usr/bin/env bash
# Guess: what a server of MCP's TypeScript SDK lists can be read under the URI that it lists; and a URI that the SDK's own
# UriTemplate makes of a listed template is matched by that template, and gives the handler the values that went in.
# What happens: a URI is looked up in the form that `new URL` gives it, and kept as it was registered, so https://example.com,
# file://localhost/x and any with /./ or a default port are listed and "not found". Values of a template reach the handler with
# their percent signs (a b as a%20b). A template with {?a,b} matches both in that order, and no URI in which one or both are
# left out, as they may be. {/a,b} matches none of what it expands to. It is so in version 1 and in 2.
# Who it hurts: servers of files and notes, where each name with a space or an umlaut is missing, and their clients, which read
# what they were offered and are told that there is no such thing.
# What to know: register new URL(uri).href, call decodeURIComponent on each value, and make a template for each number of
# query parameters.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0
own_home
run_module <<'JS'
import {Client as Client2} from '@modelcontextprotocol/client';
import {Client as Client1} from '@modelcontextprotocol/sdk/client/index.js';
import {InMemoryTransport as Pair1} from '@modelcontextprotocol/sdk/inMemory.js';
import {McpServer as Server1, ResourceTemplate as Template1} from '@modelcontextprotocol/sdk/server/mcp.js';
import {UriTemplate as Uri1} from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import {InMemoryTransport as Pair2, McpServer as Server2, ResourceTemplate as Template2, UriTemplate as Uri2} from '@modelcontextprotocol/server';
import {same} from './acp.mjs';

const resources = [
	['docs://Guide/%7euser', 'found'],
	['https://example.com', 'not found'],
	['https://example.com:443/guide', 'not found'],
	['file://localhost/guide', 'not found'],
	['docs://guide/./start', 'not found'],
];
const templates = [
	['notes://{name}', {name: 'a b'}, 'notes://a%20b', '{"name":"a%20b"}'],
	['files://{+path}', {path: 'src/a b'}, 'files://src/a%20b', '{"path":"src/a%20b"}'],
	['find://all{?word,kind}', {word: 'x', kind: 'y'}, 'find://all?word=x&kind=y', '{"word":"x","kind":"y"}'],
	['find://all{?word,kind}', {word: 'x'}, 'find://all?word=x', 'not found'],
	['find://all{?word,kind}', {}, 'find://all', 'not found'],
	['tree://all{/one,two}', {one: 'x', two: 'y'}, undefined, 'not found'],
];

for (const [version, Server, Client, Pair, Template, Uri] of [
	[1, Server1, Client1, Pair1, Template1, Uri1],
	[2, Server2, Client2, Pair2, Template2, Uri2],
]) {
	const server = new Server({name: 'lab', version: '1.0.0'});
	const answer = (uri, values) => ({contents: [{uri: uri.href, text: JSON.stringify(values)}]});
	for (const [uri] of resources) server.registerResource(uri, uri, {}, uri => answer(uri, 'found'));
	for (const template of new Set(templates.map(([template]) => template))) {
		server.registerResource(template, new Template(template, {list: undefined}), {}, answer);
	}

	const client = new Client({name: 'client', version: '1.0.0'});
	const [here, there] = Pair.createLinkedPair();
	await Promise.all([server.connect(here), client.connect(there)]);
	const read = uri =>
		client.readResource({uri}).then(
			({contents}) => contents[0].text.replace('"found"', 'found'),
			error => /not found/.exec(error.message)?.[0] ?? error.message,
		);
	const listed = (await client.listResources()).resources.map(({uri}) => uri);
	for (const [uri, expected] of resources) same(`${version}: ${uri}`, `listed, ${expected}`, `${listed.includes(uri) ? 'listed' : 'not listed'}, ${await read(uri)}`);
	for (const [template, values, expected, seen] of templates) {
		const uri = new Uri(template).expand(values);
		if (expected !== undefined) same(`${version}: ${template} expands to`, expected, uri);
		same(`${version}: of ${template} with ${JSON.stringify(values)} a handler gets`, seen, await read(uri));
	}
	await client.close();
}
JS
