#!/usr/bin/env bash
# Guess: a key that the model's service rejects with 401 ends the turn at once with -32000, the protocol's error for an agent
# that has to be logged in; it gets no better by asking again.
# What happens: Gemini fails at once, and its error has the code 401. Codex asks five times more, and says -32000 after seven
# seconds. Claude asks ten times more and is silent for about three minutes before it says -32000; where it has the token
# of a subscription and no key, it asks once more. (Here it is cut off after the fifth request.) After 403 Claude says
# -32000 at once, and Codex that the turn has ended well.
# Who it hurts: the person whose key was revoked, or has run out, while agents are at work: what looks like a model that takes
# its time is an agent that can't do anything.
# What to know: of silence after a prompt nothing can be told. Take -32000, 401 and 403 for the same.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';

const bodies = {
	claude: {type: 'error', error: {type: 'authentication_error', message: 'invalid x-api-key'}},
	codex: {error: {type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided'}},
	gemini: {error: {code: 401, status: 'UNAUTHENTICATED', message: 'API key not valid'}},
};

const ask = async (name, status, options = {}) => {
	let requests = 0;
	const reply = () => {
		requests += 1;
		return {status, body: bodies[name]};
	};
	const agent = await open(name, reply, {...(name === 'claude' ? {mode: 'default'} : {}), ...options});
	const began = agent.events.length;
	const isFifth = async () => {
		while (requests < 5) await sleep(50);
		return 'still at it';
	};
	const answer = await Promise.race([
		agent.prompt('Hello').then(({error, result}) => error?.code ?? result.stopReason),
		...(options.isCut ? [isFifth()] : []),
	]);
	const told = agent.events
		.slice(began)
		.filter(({update}) => update && !/session_info|usage|commands|config/.test(update.sessionUpdate));
	await agent.close();
	return {answer, requests, told: told.length};
};

same('claude 401', {answer: 'still at it', requests: 5, told: 0}, await ask('claude', 401, {isCut: true}));
same('claude 401, subscription', {answer: -32000, requests: 2, told: 0}, await ask('claude', 401, {token: true}));
same('codex 401', {answer: -32000, requests: 6, told: 0}, await ask('codex', 401));
same('gemini 401', {answer: 401, requests: 1, told: 0}, await ask('gemini', 401));
same('claude 403', {answer: -32000, requests: 1, told: 1}, await ask('claude', 403));
same('codex 403', {answer: 'end_turn', requests: 6, told: 1}, await ask('codex', 403));
JS
