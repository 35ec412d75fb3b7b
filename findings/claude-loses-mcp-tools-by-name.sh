#!/usr/bin/env bash
# Guess: names of MCP tools may have dots and up to 128 characters (the specification gives admin.tools.list as an
# example). An agent that has to rename them for its model keeps them apart, or says which tool it leaves out.
# What happens: Claude makes both issue.close and issue_close into mcp__lab__issue_close and declares it once. Each call of
# it, and each leave that is asked for it, is for the tool that the server told first; the other can't be called. Turned
# round, the other one is lost. A tool whose name is over 128 characters with mcp__SERVER__ before it is left out. Neither
# the client nor the model is told. Gemini keeps the names with dots as they are.
# Who it hurts: users of servers that moved to dotted names and keep the old ones for a while, and of gateways that join
# servers: what runs isn't what the name says.
# What to know: in a server that Claude will use keep names below 100 characters, and let no two differ in dots and
# underscores alone.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';
import {tools} from './mcp.mjs';

const result = {content: [{type: 'text', text: 'ran'}]};

/** What the model is shown of the server's tools, and which of them run when it calls each of these. */
const look = async (name, offered, calls) => {
	const {mcpServers, called} = tools(offered.map(tool => ({name: tool, result})));
	const reply = n => ({parts: [n <= calls.length ? {use: calls[n - 1]} : 'done']});
	const agent = await open(name, reply, {mode: name === 'claude' ? 'default' : undefined, mcpServers});
	await agent.prompt('Call them');
	await agent.close();
	const {body} = agent.events.findLast(({isTurn}) => isTurn);
	const shown = body.tools
		.flatMap(tool => tool.functionDeclarations ?? tool)
		.filter(tool => tool.name?.includes('issue'))
		.map(tool => `${tool.name}: ${tool.description.split('\n')[0]}`);
	const asked = agent.events
		.filter(({kind}) => kind === 'asked')
		.map(({params}) => params.toolCall.title);
	return {shown, asked, ran: called(), words: agent.words().join('')};
};

const dotted = 'issue.close';
const plain = 'issue_close';
for (const [first, second] of [
	[dotted, plain],
	[plain, dotted],
]) {
	const {shown, asked, ran, words} = await look('claude', [first, second], [plain, plain]);
	same('claude: the model is shown', [`mcp__lab__issue_close: The tool ${first}`], shown);
	same('claude: the client is asked about', ['mcp__lab__issue_close', 'mcp__lab__issue_close'], asked);
	same(`claude: two calls run, ${second} not being one`, [first, first], ran);
	same('claude: the client reads', 'done', words);
}

const longest = 'x'.repeat(118);
const long = await look('claude', [longest, `${longest}x`, plain], [longest, `${longest}x`, plain]);
same('claude: of names with 118, 119 and 11 characters run', [118, 11], long.ran.map(name => name.length));
same('claude: the client reads', 'done', long.words);

const {ran} = await look('gemini', [dotted, plain], [dotted, plain]);
same('gemini: two calls run', [dotted, plain], ran);
JS
