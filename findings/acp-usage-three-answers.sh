#!/usr/bin/env bash
# Guess: the answer to a prompt has the turn's tokens in `usage`, as ACP has it, and where three agents send the same key
# `_meta.quota.token_count` besides, it has one form.
# What happens: Claude and Codex send `usage`, Gemini sends none. Under the same key each of the three spells in its own
# way: Claude writes cachedWriteTokens where Codex writes cacheWriteInputTokens, and Gemini input_tokens without a sum.
# Who it hurts: a client that knows one of them and shows nothing, or zero, for what the other two spent.
# What to know: take `usage` where it is there, then `_meta.quota.token_count` in each spelling, and add up yourself.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const common = ['cachedInputTokens', 'inputTokens', 'outputTokens', 'reasoningOutputTokens', 'totalTokens'];
const expected = {
	claude: {usage: 3000, names: ['cachedWriteTokens', ...common]},
	codex: {usage: 3000, names: ['cacheWriteInputTokens', ...common]},
	gemini: {usage: 'none', names: ['input_tokens', 'output_tokens']},
};

for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n => (n < 3 ? {parts: [{run: `echo ${n}`}]} : {parts: ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	const {result} = await agent.prompt('Run it');
	console.log(JSON.stringify(result));
	same(`${name}, a turn of three requests with 1000 tokens each`, {...expected[name], names: expected[name].names.toSorted()}, {
		usage: result.usage?.inputTokens ?? 'none',
		names: Object.keys(result._meta.quota.token_count).toSorted(),
	});
	await agent.close();
}
JS
