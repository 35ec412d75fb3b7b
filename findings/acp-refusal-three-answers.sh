#!/usr/bin/env bash
# Guess: where the model's service stops an answer since it may not be given, the turn ends with `refusal`. The protocol has
# that reason for it, and says that the prompt is then no part of what the model is sent next.
# What happens: Claude asks once more by itself, so the half of an answer comes twice, and says `refusal`. Codex asks five times
# more, the half comes six times, and the turn has ended well: `end_turn`. Gemini says `end_turn` too, and no word of it.
# In all three the refused prompt is part of what the model is sent with the next one.
# Who it hurts: anyone who takes `end_turn` for done: the task was hardly begun, and in Gemini's case nothing tells. And anyone who
# pays for six requests in place of one, and goes on in a conversation whose every request holds what was refused.
# What to know: a turn that ended well and says little may be one. After a refusal begin a new conversation.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const expected = {
	claude: {stop: 'refusal', requests: 2, halves: 2, told: 'safeguards flagged this message'},
	codex: {stop: 'end_turn', requests: 6, halves: 6, told: 'reason: content_filter'},
	gemini: {stop: 'end_turn', requests: 1, halves: 1, told: ''},
};

for (const name of ['claude', 'codex', 'gemini']) {
	let last;
	let isRefused = true;
	let requests = 0;
	const reply = (_, body) => {
		requests += 1;
		last = JSON.stringify(body);
		return isRefused ? {parts: ['HALF AN ANSWER'], end: 'refused'} : {parts: ['done']};
	};
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	const {result} = await agent.prompt('THE FIRST PROMPT');
	const said = agent.words().join('\n');
	console.log(said);
	same(name, expected[name], {
		stop: result.stopReason,
		requests,
		halves: said.split('HALF AN ANSWER').length - 1,
		told: said.match(/safeguards flagged this message|reason: content_filter/)?.[0] ?? '',
	});
	isRefused = false;
	await agent.prompt('THE SECOND');
	same('with the next prompt the model is sent the refused one', 'true', `${last.includes('THE FIRST PROMPT')}`);
	await agent.close();
}
JS
