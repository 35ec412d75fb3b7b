#!/usr/bin/env bash
# Guess: when the model can't be reached, or refuses because the conversation is too long, codex-acp answers
# session/prompt with an error.
# What happens: the answer is stopReason end_turn, as after a turn that went well. The failure is a sentence among the
# agent's own words, and _meta of a session_info_update says systemError. Only some failures, like a used up quota,
# become an error. After "too long" the usage says that the whole window was used, with 0 tokens in and 0 out.
# Who it hurts: a supervisor that takes end_turn for "done": a turn in which nothing was done looks finished.
# What to know: look for threadStatus systemError in _meta.codex before believing an end_turn of Codex.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/codex-acp@2.6.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const unavailable = {status: 503, body: {error: {message: 'Overloaded'}}};
const failed = code => ({parts: [], end: {failed: code}});
const turn = async reply => {
	const provider = 'request_max_retries = 0\nstream_max_retries = 0';
	const agent = await open('codex', () => reply, {provider});
	const {result, error} = await agent.prompt('Hello');
	await agent.close();
	const statuses = agent.events
		.map(({update}) => update?._meta?.codex?.threadStatus?.type)
		.filter(Boolean);
	console.log(`its words: ${agent.words().join('').trim()}`);
	const {totalTokens, inputTokens, outputTokens} = result?.usage ?? {};
	return {
		ends: result?.stopReason ?? error.data.codexErrorInfo,
		status: statuses.at(-1),
		usage: result?.usage ? {totalTokens, inputTokens, outputTokens} : null,
	};
};

same(
	'503, no more tries',
	{ends: 'end_turn', status: 'systemError', usage: null},
	await turn(unavailable),
);
same(
	'the conversation is too long',
	{
		ends: 'end_turn',
		status: 'systemError',
		usage: {totalTokens: 258400, inputTokens: 0, outputTokens: 0},
	},
	await turn(failed('context_length_exceeded')),
);
same(
	'the quota is used up',
	{ends: 'usageLimitExceeded', status: 'systemError', usage: null},
	await turn(failed('insufficient_quota')),
);
JS
