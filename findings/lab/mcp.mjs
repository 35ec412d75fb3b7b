/** An MCP server on stdio with tools of the finding's own. It is its own program: this module, started with its pages. */
import {appendFileSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const program = fileURLToPath(import.meta.url);

/**
 * What session/new takes to start a server with these tools, a page of tools/list each: `{name, result}`. And what the
 * server has been asked since: the messages, and the names of the tools called.
 */
export const tools = (...pages) => {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
	const log = join(folder, 'log');
	const given = join(folder, 'pages.json');
	writeFileSync(log, '');
	writeFileSync(given, JSON.stringify(pages));
	const asked = () =>
		readFileSync(log, 'utf8')
			.split('\n')
			.filter(Boolean)
			.map(line => JSON.parse(line));
	return {
		mcpServers: [{name: 'lab', command: process.execPath, args: [program, given, log], env: []}],
		asked,
		called: () =>
			asked()
				.filter(({method}) => method === 'tools/call')
				.map(({params}) => params.name),
	};
};

const paged = (key, all, cursor) => {
	const at = Number(cursor ?? 0);
	const nextCursor = at + 1 < all.length ? {nextCursor: String(at + 1)} : {};
	return {[key]: all[at], ...nextCursor};
};

const serve = async (given, log) => {
	const pages = JSON.parse(readFileSync(given, 'utf8'));
	const resources = pages.map((_, i) => [{uri: `lab://${i}`, name: `resource-${i}`}]);
	const shown = pages.map(page =>
		page.map(({name}) => ({
			name,
			description: `The tool ${name}`,
			inputSchema: {type: 'object', properties: {}},
			// Claude declares such a tool to its model at once.
			_meta: {'anthropic/alwaysLoad': true},
		})),
	);
	const answers = {
		initialize: ({protocolVersion}) => ({
			protocolVersion,
			capabilities: {tools: {}, resources: {}},
			serverInfo: {name: 'lab', version: '1.0.0'},
		}),
		ping: () => ({}),
		'tools/list': params => paged('tools', shown, params?.cursor),
		'resources/list': params => paged('resources', resources, params?.cursor),
		'resources/templates/list': () => ({resourceTemplates: []}),
		'tools/call': ({name}) => pages.flat().find(tool => tool.name === name).result,
	};
	for await (const line of createInterface({input: process.stdin})) {
		appendFileSync(log, `${line}\n`);
		const {id, method, params} = JSON.parse(line);
		if (id === undefined || !method) continue;
		const answer = answers[method]
			? {result: answers[method](params)}
			: {error: {code: -32601, message: 'The server has no such method'}};
		process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', id, ...answer})}\n`);
	}
};

if (process.argv[1] === program) await serve(process.argv[2], process.argv[3]);
