#!/usr/bin/env bash
# Guess: the result of an MCP tool has content for the model, and may have structuredContent beside it, for programs. So
# whatever an agent makes of the second, its model reads the first, above all the words of an error.
# What happens: with both there Claude gives its model the JSON and the picture, Codex the JSON alone: the texts of
# content are gone. Gemini gives content alone; where there is only structuredContent, its model reads an empty answer.
# For a call that failed all three differ: Claude gives the words, Codex the JSON, and Gemini both.
# Who it hurts: anyone who writes a tool that says in words what to do next and adds a record for programs, or sends a
# screenshot with its size: which half the model gets depends on the agent. Nothing in the session tells.
# What to know: put all that the model must know into content and send no structuredContent, or the same into both.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';
import {tools} from './mcp.mjs';

const picture =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = {type: 'text', text: 'in words'};
const image = {type: 'image', data: picture, mimeType: 'image/png'};
const structuredContent = {word: 'in JSON'};
const results = {
	words: {content: [text, image]},
	both: {content: [text, image], structuredContent},
	alone: {content: [], structuredContent},
	failed: {content: [text], structuredContent, isError: true},
};
const names = Object.keys(results);

/** The newest part of what the model was sent. */
const newest = {
	claude: body => body.messages.at(-1),
	codex: body => body.input.at(-1),
	gemini: body => body.contents.at(-1),
};
const expected = {
	claude: {words: ['in words', 'picture'], both: ['in JSON', 'picture'], alone: ['in JSON'], failed: ['in words']},
	codex: {words: ['in words', 'picture'], both: ['in JSON'], alone: ['in JSON'], failed: ['in JSON']},
	gemini: {words: ['in words', 'picture'], both: ['in words', 'picture'], alone: [], failed: ['in words', 'in JSON']},
};

for (const name of Object.keys(expected)) {
	const {mcpServers, called} = tools(names.map(tool => ({name: tool, result: results[tool]})));
	const reply = n => ({parts: [n <= names.length ? {use: names[n - 1]} : 'done']});
	const mode = {claude: 'default', codex: 'agent-full-access'}[name];
	const agent = await open(name, reply, {mode, mcpServers});
	// Codex lets a turn begin before its servers have told their tools.
	await sleep(3000);
	await agent.prompt('Call them');
	await agent.close();
	same(`${name}: calls that came to the server`, names, called());
	const requests = agent.events.filter(({isTurn}) => isTurn);
	for (const [i, tool] of names.entries()) {
		const sent = JSON.stringify(newest[name](requests[i + 1].body));
		console.log(sent.slice(0, 300));
		const read = [['in words'], ['in JSON'], ['picture', picture]]
			.filter(([what, mark = what]) => sent.includes(mark))
			.map(([what]) => what);
		same(`${name}: of the result "${tool}" the model reads`, expected[name][tool], read);
	}
}
JS
