#!/usr/bin/env bash
# Guess: when the model's stream ends in the middle of an answer, the agent asks again, and the client gets the answer
# once: what was sent is continued, or something tells the client to drop it.
# What happens: all three agents send the new answer from its start, after the half that was sent already, and nothing
# in ACP takes that half back. Claude and Codex give the second a messageId of its own; Gemini gives none at all.
# Who it hurts: a client that joins the chunks of a turn into one message, or reads an answer (JSON, a review, a list of
# files) out of it: half an answer stands in front of the whole one.
# What to know: start a new message when messageId changes, and take the last one as the answer.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const expected = {
	claude: {turn: 'one two one two three', messages: 2},
	codex: {turn: 'one two one two three', messages: 2},
	gemini: {turn: 'one two one two three', messages: 0},
};

for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n =>
		n === 1
			? {parts: ['one ', 'two ', {pause: 300}], end: 'cut'}
			: {parts: ['one ', 'two ', 'three']};
	const agent = await open(name, reply);
	const answer = await agent.prompt('Count to three');
	const ids = agent.events.map(({update}) => update?.messageId).filter(Boolean);
	same(`${name} ends the turn with`, 'end_turn', answer.result.stopReason);
	same(name, expected[name], {turn: agent.words().join(''), messages: new Set(ids).size});
	await agent.close();
}
JS
