#!/usr/bin/env bash
# Guess: a shell command that exits with 3 is a tool call with the status failed, and its output is in the content.
# What happens, to a client that offers no terminals: Claude says failed, with the output as text. Codex says failed, its
# content is a terminal that this client never made, and the output and the exit code are only in _meta. Gemini says
# completed and sends no content at all: neither the output nor the exit code reaches the client.
# Who it hurts: people who see a failed test run as done (Gemini), or an empty box (Codex).
# What to know: completed does not mean that a command succeeded. For Codex read _meta.terminal_output_delta and
# _meta.terminal_exit; with Gemini only what you run yourself (the tests, git) shows how it went.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const expected = {
	claude: {status: 'failed', content: 'content: ```\nExit code 3\nhello\n```', meta: ''},
	codex: {status: 'failed', content: 'terminal: call_1', meta: 'hello\n, exit 3'},
	gemini: {status: 'completed', content: '', meta: ''},
};

for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n => (n === 1 ? {parts: [{run: 'echo hello; exit 3'}]} : {parts: ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	await agent.prompt('Run it');
	const calls = agent.events
		.map(({update}) => update)
		.filter(update => update?.sessionUpdate.startsWith('tool_call'));
	const last = key => calls.findLast(update => update[key] !== undefined)?.[key];
	for (const call of calls) console.log(JSON.stringify(call).slice(0, 300));
	same(name, expected[name], {
		status: last('status'),
		content: last('content')
			.map(({type, content, terminalId}) => `${type}: ${content?.text ?? terminalId}`)
			.join(),
		meta: calls
			.map(({_meta}) => _meta?.terminal_output_delta?.data ?? _meta?.terminal_exit?.exit_code)
			.map(value => (typeof value === 'number' ? `, exit ${value}` : value))
			.join(''),
	});
	await agent.close();
}
JS
