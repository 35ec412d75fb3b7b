#!/usr/bin/env bash
# Guess: ACP has the stop reason max_tokens, so a turn whose answer the model cut at its token limit ends with it.
# What happens: none of the three says so. Claude asks the model three more times to go on and then answers with an
# internal error, whose data says max_output_tokens. Codex answers end_turn and puts the reason into the agent's words.
# Gemini answers end_turn and says nothing.
# Who it hurts: a supervisor that takes end_turn for "done" and goes on with half an answer, and anyone who pays for the
# three requests.
# What to know: from end_turn alone nobody can tell that an answer is whole.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const expected = {
	claude: {stopReason: 'none, error -32603 max_output_tokens', requests: 4},
	codex: {stopReason: 'end_turn', requests: 1},
	gemini: {stopReason: 'end_turn', requests: 1},
};

for (const name of ['claude', 'codex', 'gemini']) {
	const agent = await open(name, () => ({parts: ['The first half. '], end: 'limit'}));
	const {result, error} = await agent.prompt('Write much');
	console.log(agent.words().join('').trim());
	same(name, expected[name], {
		stopReason: result?.stopReason ?? `none, error ${error.code} ${error.data?.errorKind}`,
		requests: agent.events.filter(({isTurn}) => isTurn).length,
	});
	await agent.close();
}
JS
