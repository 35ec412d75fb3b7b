#!/usr/bin/env bash
# Guess: after session/cancel the model still knows, at the next prompt, what it was asked and what it had said so far,
# since the client shows both. So "go on" works.
# What happens: Claude keeps the prompt and the words. Codex keeps the prompt and drops the words of the answer it was
# in. Gemini drops both when the answer was the first of its turn: the model gets "go on" and nothing else. It does so
# too when the prompt was refused because of a quota.
# Who it hurts: anyone who stops an agent to correct it, or lets it go on after a limit: the agent works on nothing, or
# asks what is meant, below a conversation that seems complete.
# What to know: after a stop or a limit send the whole task again to Gemini, and quote to Codex what it had said.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';

const violation = {quotaId: 'GenerateRequestsPerDayPerProjectPerModel', quotaValue: '50'};
const failure = {'@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation]};
const error = {code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota', details: [failure]};
const refused = {status: 429, body: {error}};
const stopped = {parts: ['I begin with ', 'the parser. ', {pause: 5000}, 'Done.']};

/** What the model is told of the first turn when the second begins. */
const memory = async (name, first, isStopped) => {
	const agent = await open(name, n => (n === 1 ? first : {parts: ['Fine.']}));
	const turn = agent.prompt('Rename alpha to beta');
	if (isStopped) {
		await agent.hears('the parser');
		await sleep(300);
		agent.cancel();
	}

	const {result} = await turn;
	if (isStopped) same(`${name} ends the first turn with`, 'cancelled', result.stopReason);
	await agent.prompt('Go on');
	await agent.close();
	const answered = agent.events.findIndex(({kind}) => kind === 'answer');
	const {body} = agent.events.slice(answered).find(({isTurn}) => isTurn);
	const told = JSON.stringify(body.messages ?? body.input ?? body.contents);
	return {
		prompt: told.includes('Rename alpha'),
		words: told.includes('the parser'),
		next: told.includes('Go on'),
	};
};

const claude = {prompt: true, words: true, next: true};
const codex = {prompt: true, words: false, next: true};
const gemini = {prompt: false, words: false, next: true};
same('claude, stopped, remembers', claude, await memory('claude', stopped, true));
same('codex, stopped, remembers', codex, await memory('codex', stopped, true));
same('gemini, stopped, remembers', gemini, await memory('gemini', stopped, true));
same('gemini, out of quota, remembers', gemini, await memory('gemini', refused, false));
JS
