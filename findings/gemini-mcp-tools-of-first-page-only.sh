#!/usr/bin/env bash
# Guess: an MCP server may give its lists in pages, with a cursor for the next. gemini-cli follows the cursor: it does so
# for resources.
# What happens: for tools it asks once. Those of later pages are not declared to the model, and a call of one is answered
# with "not found in registry". The client is told nothing, and the session opens as always. Claude and Codex ask for all
# pages of tools.
# Who it hurts: users of servers and gateways with many tools, some of which give thirty a page: the same server has all
# of its tools in one agent and a part in the other, in whatever order it lists them.
# What to know: a server of your own should list all its tools in one page; before trusting another, compare tools/list.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';
import {tools} from './mcp.mjs';

const result = {content: [{type: 'text', text: 'ran'}]};
const expected = {
	claude: {pages: ['first', '1'], ran: ['near', 'far']},
	codex: {pages: ['first', '1'], ran: ['near', 'far']},
	gemini: {pages: ['first'], ran: ['near']},
};

for (const name of Object.keys(expected)) {
	const {mcpServers, asked, called} = tools([{name: 'near', result}], [{name: 'far', result}]);
	const reply = n => ({parts: [n === 1 ? {use: 'near'} : n === 2 ? {use: 'far'} : 'done']});
	const mode = {claude: 'default', codex: 'agent-full-access'}[name];
	const agent = await open(name, reply, {mode, mcpServers});
	// Codex lets a turn begin before its servers have told their tools.
	await sleep(3000);
	const {result: turn} = await agent.prompt('Call both');
	await agent.close();
	const pages = method => [
		...new Set(
			asked()
				.filter(message => message.method === method)
				.map(({params}) => params?.cursor ?? 'first'),
		),
	];
	same(`${name}: pages of tools asked for`, expected[name].pages, pages('tools/list'));
	same(`${name}: tools that ran`, expected[name].ran, called());
	same(`${name}: the turn ends with`, 'end_turn', turn.stopReason);
	if (name === 'gemini') {
		same('gemini: pages of resources asked for', ['first', '1'], pages('resources/list'));
		const {body} = agent.events.findLast(({isTurn}) => isTurn);
		const {response} = body.contents.at(-1).parts[0].functionResponse;
		same('gemini: the model reads', 'Tool "mcp_lab_far" not found in registry.', response.error);
		same('gemini: the client reads', 'done', agent.words().join(''));
	}
}
JS
