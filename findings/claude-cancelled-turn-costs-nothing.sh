#!/usr/bin/env bash
# Guess: the usage in the answer to session/prompt, and the cost in usage_update, count what the turn used until it was
# cancelled. The model server told the input tokens at the very start of its stream.
# What happens: claude-agent-acp answers a cancelled turn with 0 tokens of each kind and no model, and the cost of the
# session grows by 0. The next turn that ends by itself doesn't make up for it.
# Who it hurts: anyone who keeps a budget. An agent that reads 150,000 tokens and is stopped in its answer has cost nothing.
# What to know: count a cancelled turn by usage_update.used, which is told, or mark its cost as unknown.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';

const reply = n => ({parts: ['one ', ...(n === 1 ? [{pause: 5000}] : []), 'two']});
const agent = await open('claude', reply);
const first = agent.prompt('first');
await agent.hears('one');
await sleep(500);
agent.cancel();
const {result} = await first;
const updates = agent.events
	.map(({update}) => update)
	.filter(update => update?.sessionUpdate === 'usage_update');
same('the model told input tokens', true, updates.some(({used}) => used >= 1000));
same('the turn ended as', 'cancelled', result.stopReason);
same('its tokens', 0, result.usage.totalTokens);
same('the cost so far', {amount: 0, currency: 'USD'}, updates.findLast(({cost}) => cost)?.cost);
const second = await agent.prompt('second');
same('input tokens of the next turn', 1000, second.result.usage.inputTokens);
await agent.close();
JS
