import {resolve} from 'node:path';
import {type CallToolResult, Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {onTestFinished} from 'vitest';
import {accessEnvironment, type ToolAccess} from '../../src/tools/access.ts';

const program = resolve(import.meta.dirname, '../../bin/delegate-tui.cjs');

/** Returns the official client, connected to the server of an agent's tools as agents start it; it is closed with the test. */
export const toolClient = async (access: ToolAccess): Promise<Client> => {
	const client = new Client({name: 'a-test', version: '1'});
	await client.connect(
		new StdioClientTransport({
			command: process.execPath,
			args: [program, 'agent-tools'],
			env: {...accessEnvironment(access)},
		}),
	);
	onTestFinished(() => client.close());
	return client;
};

/** Returns the text of a result. */
export const wordsOf = ({content}: CallToolResult): string =>
	content.map(part => (part.type === 'text' ? part.text : '')).join('\n');
