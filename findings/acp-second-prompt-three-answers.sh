#!/usr/bin/env bash
# Guess: a second session/prompt while the first turn runs is refused or queued, and session/cancel, which names only the
# session, stops all that was asked of it. So the three big agents would do the same here.
# What happens: Claude queues the second prompt, and cancel ends both. Codex queues it, and cancel ends only the first
# turn: the second starts at once and goes to the model. Gemini ends the first turn itself, as cancelled, when the
# second prompt comes.
# Who it hurts: a client that lets people type ahead. With Codex "stop" starts the next turn; with Gemini a follow-up
# throws away the running work.
# What to know: keep the queue in the client, and send one prompt at a time.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same, sleep} from './acp.mjs';

const expected = {
	claude: {first: 'cancelled', second: 'cancelled', wereCancelledBefore: 0, requestsAfterCancel: 0},
	codex: {first: 'cancelled', second: 'end_turn', wereCancelledBefore: 0, requestsAfterCancel: 1},
	gemini: {first: 'cancelled', second: 'cancelled', wereCancelledBefore: 1, requestsAfterCancel: 0},
};

for (const name of ['claude', 'codex', 'gemini']) {
	const agent = await open(name, () => ({parts: ['one ', {pause: 6000}, 'two']}));
	const first = agent.prompt('first');
	await agent.hears('one');
	const second = agent.prompt('second');
	await sleep(1500);
	const wereCancelledBefore = agent.events.filter(({kind}) => kind === 'answer').length;
	agent.cancel();
	const answers = await Promise.all([first, second]);
	const [a, b] = answers.map(answer => answer.result.stopReason);
	const cancelledAt = agent.events.findIndex(({kind}) => kind === 'cancel');
	const requestsAfterCancel = agent.events
		.slice(cancelledAt)
		.filter(({kind, isTurn}) => kind === 'request' && isTurn).length;
	same(name, expected[name], {first: a, second: b, wereCancelledBefore, requestsAfterCancel});
	await agent.close();
}
JS
