#!/usr/bin/env bash
# Guess: what session/load replays as the person's messages is what the person has sent, as the client saw it when it was said.
# What happens: gemini-cli replays more in the person's name: first a message with the date, the system, the folder's path and a
# listing of it, which it had put before the prompt itself, then one "[Function Response: run_shell_command]" for each result of
# a tool. All are user_message_chunk, without an id or a mark. Claude and Codex replay the prompts alone.
# Who it hurts: clients that rebuild a conversation from the replay: people see themselves say what they never said, turns are
# counted by tool calls, and "what was asked last" is a line about a function.
# What to know: keep what was sent in the client, and take from Gemini's replay only the user messages that are in there.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';

const response = '[Function Response: run_shell_command]';
const expected = {
	claude: 'Run it | Thank you',
	codex: 'Run it | Thank you',
	gemini: `<session_context> | Run it | ${response} | ${response} | Thank you`,
};

await Promise.all(
	Object.keys(expected).map(async name => {
		const reply = n => ({parts: n <= 2 ? [{run: `echo ${n}`}] : ['done']});
		const options = name === 'claude' ? {mode: 'default'} : {};
		const first = await open(name, reply, options);
		await first.prompt('Run it');
		await first.prompt('Thank you');
		// What the agent keeps of it is written by then.
		await sleep(3000);
		await first.close();
		const minute = () => Math.floor(Date.now() / 60_000);
		// Gemini takes a session up only in another minute of the clock.
		for (const then = minute(); name === 'gemini' && minute() === then; ) await sleep(500);
		const second = await open(name, reply, {...options, earlier: first});
		await sleep(3000);
		await second.close();
		const said = second.events
			.filter(({update}) => update?.sessionUpdate === 'user_message_chunk')
			.map(({update}) => update.content.text.split('\n')[0]);
		same(`${name}: replayed as the person's`, expected[name], said.join(' | '));
	}),
);
JS
