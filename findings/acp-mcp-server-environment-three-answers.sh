#!/usr/bin/env bash
# Guess: an MCP server that a client hands over has the agent's environment, with what the client named for it added; or only the
# few variables that MCP's SDKs give a server (HOME, PATH, USER …). One of the two, as decided for MCP.
# What happens: Claude hands on everything. Codex hands on a few: NODE_EXTRA_CA_CERTS is one of them, a proxy is none, nor is
# what the client has set. Gemini hands on all but what it takes for a secret by its name: the proxy is there, and the
# certificate and DATABASE_URL aren't. Commands that the same agents run in their shells have each of these.
# Who it hurts: anyone who relies on the environment of a worktree (a port, a database) or of a company (a proxy and its
# certificate): a server that works in one agent asks the wrong database in the next, and reaches nothing in either of them,
# for two different reasons; and what a person tries in the agent's shell works.
# What to know: name each variable that a server needs in `env` of session/new, with its value: these arrive in all three.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same, sleep} from './acp.mjs';
import {tools} from './mcp.mjs';

const variables = {
	PORT: '5001',
	DATABASE_URL: 'postgres://localhost/one',
	HTTPS_PROXY: 'http://127.0.0.1:9',
	// Node warns where it can't read the file, and goes on.
	NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem',
};
const names = Object.keys(variables);
const all = names.join(', ');
const expected = [
	['claude', [], all],
	['codex', [], 'NODE_EXTRA_CA_CERTS'],
	['gemini', [], 'PORT, HTTPS_PROXY'],
	['codex', names, all],
	['gemini', names, all],
];

for (const [name, named, there] of expected) {
	const [{command, args, ...server}] = tools([{name: 'tool', result: {content: []}}]).mcpServers;
	const seen = join(process.cwd(), `${name}-${named.length}`);
	const agent = await open(name, n => ({parts: n === 1 ? [{run: 'env >seen'}] : ['done']}), {
		...(name === 'claude' ? {mode: 'default'} : {}),
		// The model is on 127.0.0.1.
		env: {...variables, NO_PROXY: '127.0.0.1'},
		mcpServers: [
			{
				...server,
				command: '/bin/sh',
				args: ['-c', 'env >"$0"; exec "$@"', seen, command, ...args],
				env: named.map(variable => ({name: variable, value: variables[variable]})),
			},
		],
	});
	await agent.prompt('Run it');
	while (!existsSync(seen)) await sleep(100);
	await agent.close();
	const kept = file => {
		const lines = readFileSync(file, 'utf8').split('\n');
		return names.filter(variable => lines.includes(`${variable}=${variables[variable]}`)).join(', ');
	};
	same(`${name}'s shell has`, all, kept(join(agent.work, 'seen')));
	same(`${name}'s MCP server${named.length > 0 ? ', given all by name,' : ''} has`, there, kept(seen));
}
JS
