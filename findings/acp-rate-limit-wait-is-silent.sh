#!/usr/bin/env bash
# Guess: an agent that is told to wait (429 with retry-after, or Google's RetryInfo) tells its client that it waits and
# until when, or leaves the waiting to the client.
# What happens: all three wait inside the turn and try again. Claude and Gemini send nothing while they wait. Codex sends
# one session_info_update whose _meta says "Reconnecting... 1/5", "exceeded retry limit" and willRetry, and not how long.
# Who it hurts: a client that takes silence for a hanging agent and kills it, or shows "working" for as long as a server
# likes to ask.
# What to know: silence is no sign of trouble. How long it may last depends on the server, not on the agent.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const seconds = 4;
const anthropic = {type: 'error', error: {type: 'rate_limit_error', message: 'Too many requests'}};
const openai = {error: {type: 'rate_limit_exceeded', message: 'Too many requests'}};
const violation = {quotaId: 'GenerateRequestsPerMinutePerProjectPerModel', quotaValue: '5'};
const google = {
	code: 429,
	status: 'RESOURCE_EXHAUSTED',
	message: 'Too many requests',
	details: [
		{'@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation]},
		{'@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s`},
	],
};
const bodies = {claude: anthropic, codex: openai, gemini: {error: google}};
const codexSays = {
	message: 'Reconnecting... 1/5',
	codexErrorInfo: {responseStreamDisconnected: {httpStatusCode: 429}},
	additionalDetails: 'exceeded retry limit, last status: 429 Too Many Requests',
	willRetry: true,
};
const expected = {claude: [], codex: [codexSays], gemini: []};

for (const name of ['claude', 'codex', 'gemini']) {
	const headers = {'retry-after': String(seconds)};
	const reply = n => (n === 1 ? {status: 429, headers, body: bodies[name]} : {parts: ['ok']});
	const agent = await open(name, reply);
	const {result} = await agent.prompt('Hello');
	const [one, two] = agent.events.filter(({isTurn}) => isTurn).map(({at}) => at);
	console.log(`${name} asked the model again after ${(two - one).toFixed(1)} s`);
	same(`${name} waited as told`, true, two - one >= seconds - 0.1);
	const told = agent.events
		.filter(({kind, at}) => kind === 'update' && at > one && at < two)
		.filter(({update}) => update.sessionUpdate !== 'available_commands_update')
		.filter(({update}) => !update.title && !update._meta?.codex?.threadStatus)
		.map(({update}) => update._meta?.codex?.error ?? update)
		.map(({misalignment, turnId, ...error}) => error);
	same(`${name} told the client meanwhile`, expected[name], told);
	same(`${name} then ended the turn with`, 'end_turn', result.stopReason);
	await agent.close();
}
JS
