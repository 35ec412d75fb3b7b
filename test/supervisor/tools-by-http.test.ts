import {request} from 'node:http';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {expect, onTestFinished, test} from 'vitest';
import {type HttpTools, serveToolsOverHttp} from '../../src/tools/serve-http.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {wordsOf} from '../helpers/tool-client.ts';

const token = 'the-token-of-one-agent';

/** Serves tools behind which no supervisor listens. */
const served = async (): Promise<{
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly listed: () => number;
}> => {
	let listed = 0;
	const tools: HttpTools = await serveToolsOverHttp(
		{socket: `${temporaryFolder()}/none`, token},
		{version: '1', onListed: () => listed++},
	);
	onTestFinished(tools.close);
	const {server} = tools;
	return {
		url: 'url' in server ? server.url : '',
		headers:
			'url' in server
				? Object.fromEntries(server.headers.map(({name, value}) => [name, value]))
				: {},
		listed: () => listed,
	};
};

/** Returns the status of a request; `fetch` would set the field `host` itself. */
const statusOf = (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
	new Promise((resolve, reject) => {
		const list = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/list', params: {}});
		request(
			url,
			{
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					accept: 'application/json, text/event-stream',
					...headers,
				},
			},
			answer => {
				answer.resume();
				resolve(answer.statusCode ?? 0);
			},
		)
			.on('error', reject)
			.end(list);
	});

test('the official client finds and calls the tools by HTTP', async () => {
	const {url, headers} = await served();
	const client = new Client({name: 'a-test', version: '1'});
	await client.connect(new StreamableHTTPClientTransport(new URL(url), {requestInit: {headers}}));
	onTestFinished(() => client.close());
	const {tools} = await client.listTools();
	expect(tools.map(({name}) => name)).toEqual(expect.arrayContaining(['ask', 'complete']));
	const called = await client.callTool({name: 'complete', arguments: {status: 'success'}});
	expect(called.isError).toBe(true);
	expect(wordsOf(called)).toContain('Nobody hears you now');
});

test.each([
	['without a token', {authorization: ''}],
	['with the token of another agent', {authorization: 'Bearer the-token-of-another'}],
	['with a part of the token', {authorization: 'Bearer the-token-of-one-agen'}],
	['from a page in a browser', {origin: 'http://127.0.0.1'}],
	['to another name', {host: 'example.org'}],
])('who asks %s is refused, before anything is read', async (_, wrong) => {
	const {url, headers, listed} = await served();
	expect(await statusOf(url, {authorization: headers.Authorization ?? '', ...wrong})).toBe(403);
	expect(listed()).toBe(0);
});

test('who shows the token of the agent is answered', async () => {
	const {url, headers, listed} = await served();
	expect(await statusOf(url, {authorization: headers.Authorization ?? ''})).toBe(200);
	expect(listed()).toBe(1);
});
