#!/usr/bin/env bash
# Guess: the model server says when to come back: retry-after in seconds, and for a subscription the time of the reset to
# the second. claude-agent-acp hands this on in the error that ends the turn.
# What happens: with a key, neither is anywhere in what the client gets. With a subscription's token the reset is in the
# words only, as a clock time without seconds or date: a reset at 4:30:59 is "resets 4:30am (UTC)". data has only
# errorKind.
# Who it hurts: anyone who wants to go on after the reset. At the time it names the limit can still hold for 59 seconds.
# What to know: read the time from the words, in the time zone they name, and add a minute.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const hour = 3600e3;
const reset = (Math.ceil(Date.now() / hour) + 2) * hour + (30 * 60 + 59) * 1000;
const date = new Date(reset);
const clock = `${date.getUTCHours() % 12 || 12}:30${date.getUTCHours() < 12 ? 'am' : 'pm'}`;
const headers = {
	'retry-after': '8999',
	'anthropic-ratelimit-unified-status': 'rejected',
	'anthropic-ratelimit-unified-representative-claim': 'five_hour',
	'anthropic-ratelimit-unified-reset': String(reset / 1000),
	'anthropic-ratelimit-unified-5h-reset': String(reset / 1000),
	'anthropic-ratelimit-unified-5h-utilization': '1.0',
};
const error = {type: 'rate_limit_error', message: 'Your rate limit is reached.'};
const refusal = {status: 429, headers, body: {type: 'error', error}};

console.log(`the server names ${date.toISOString()} and 8999 s`);
const heard = async token => {
	const agent = await open('claude', () => refusal, {token});
	const answer = await agent.prompt('Hello');
	await agent.close();
	const all = JSON.stringify([answer, agent.words()]);
	const times = [String(reset / 1000), '8999', ':30:59'];
	same('the exact times in answer or words', false, times.some(time => all.includes(time)));
	return answer.error;
};

same('a client with a key gets', {
	code: -32603,
	message: 'Internal error: API Error: Request rejected (429) · Your rate limit is reached.',
	data: {errorKind: 'rate_limit'},
}, await heard(false));
same('a client with a subscription gets', {
	code: -32603,
	message: `Internal error: You've hit your 5-hour limit · resets ${clock} (UTC)`,
	data: {errorKind: 'rate_limit'},
}, await heard(true));
JS
