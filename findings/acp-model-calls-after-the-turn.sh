#!/usr/bin/env bash
# Guess: when session/prompt is answered, the agent is idle: it asks the model for nothing more, and the usage in the
# answer is all that the turn has cost.
# What happens: Codex then sends the first message of a session to the model once more, for a title. From the second turn
# on claude-agent-acp sends the whole conversation once more, to guess what the person will ask next, for clients that
# never asked for this too. Neither is in the usage of the turn or in the cost told with it.
# Who it hurts: anyone who counts requests or tokens against a limit, and anyone who stops the agent or its network right
# after the answer.
# What to know: CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION=false stops Claude's request.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';

/** The requests for this purpose that are sent after the answer to the last of these turns. */
const later = async (name, turns, purpose, env) => {
	const agent = await open(name, () => ({parts: ['Done.']}), {env});
	for (let turn = 1; turn <= turns; turn++) await agent.prompt('Hello');
	await sleep(3000);
	await agent.close();
	const answered = agent.events.findLastIndex(({kind}) => kind === 'answer');
	const {usage} = agent.events[answered].answer.result;
	same(`${name}: input tokens told for turn ${turns}`, 1000, usage.inputTokens);
	return agent.events
		.slice(answered)
		.filter(({kind}) => kind === 'request')
		.map(({body}) => body.messages ?? body.input)
		.filter(messages => JSON.stringify(messages.at(-1)).includes(purpose))
		.map(messages => ({answersInIt: JSON.stringify(messages).split('Done.').length - 1}));
};

const title = 'creating a title';
const next = 'Reply with ONLY the suggestion';
const off = {CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false'};
same('codex: later, for a title', [{answersInIt: 0}], await later('codex', 1, title));
same('claude: later, for the next prompt', [{answersInIt: 2}], await later('claude', 2, next));
same('claude: the same, switched off', [], await later('claude', 2, next, off));
JS
