#!/usr/bin/env bash
# Guess: after claude-agent-acp tells {kind: "none", label: "Not logged in"} in _auth/status_update, prompts fail until
# somebody logs in.
# What happens: a session that runs with CLAUDE_CODE_OAUTH_TOKEN (what `claude setup-token` gives for scripts) is told to
# be not logged in, and stays so, while its prompts go to the model with that token and are answered.
# Who it hurts: a client that hides the prompt or asks for a login when it hears kind none: it locks people out of an
# agent that works.
# What to know: take this notice as a hint. Only a refused prompt shows that a login is missing.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';

const agent = await open('claude', () => ({parts: ['Hello']}), {token: true});
const answer = await agent.prompt('Hello');
await sleep(1000);
const statuses = agent.events
	.filter(({method}) => method === '_auth/status_update')
	.map(({params}) => params.authStatus);
const request = agent.events.find(({isTurn}) => isTurn);
same('the last status told', {kind: 'none', label: 'Not logged in'}, statuses.at(-1));
same('the model was asked with', 'Bearer made-up', request.headers.authorization);
same('the answer', ['Hello', 'end_turn'], [agent.words().join(''), answer.result.stopReason]);
await agent.close();
JS
