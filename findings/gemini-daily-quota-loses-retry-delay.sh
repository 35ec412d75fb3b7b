#!/usr/bin/env bash
# Guess: Google's answer to a used up quota says in RetryInfo how long to wait and in QuotaFailure which quota of which
# model it is. gemini-cli over ACP hands these on, in the data of the error or in its words.
# What happens: for a quota per day the client gets code 429 and one fixed sentence, without data. The delay, the name of
# the quota, its size and the server's own words are gone.
# Who it hurts: anyone who wants to go on as soon as it is possible, or with another model: it looks as if a day has to pass
# although the server said 34 seconds.
# What to know: after this sentence, ask again after a while of your own choice; there is nothing to read.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const type = name => `type.googleapis.com/google.rpc.${name}`;
const violation = {
	quotaMetric: 'generativelanguage.googleapis.com/generate_requests',
	quotaId: 'GenerateRequestsPerDayPerProjectPerModel',
	quotaDimensions: {location: 'global', model: 'gemini-2.5-pro'},
	quotaValue: '50',
};
const error = {
	code: 429,
	status: 'RESOURCE_EXHAUSTED',
	message: 'You exceeded your current quota.',
	details: [
		{'@type': type('QuotaFailure'), violations: [violation]},
		{'@type': type('RetryInfo'), retryDelay: '34.07s'},
	],
};
console.log(`the server says ${JSON.stringify(error)}`);
const agent = await open('gemini', () => ({status: 429, body: {error}}));
const answer = await agent.prompt('Hello');
same('the client gets', {
	code: 429,
	message: 'You have exhausted your daily quota on this model.',
}, answer.error);
same('requests to the model', 1, agent.events.filter(({isTurn}) => isTurn).length);
await agent.close();
JS
