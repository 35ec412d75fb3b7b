#!/usr/bin/env bash
# Guess: when a person rejects a tool call that the agent asked for, a tool_call_update says that it failed, as it says
# completed when the person allows it.
# What happens: gemini-cli tells its model that the call was cancelled, and its client nothing. The status of the call
# stays pending, which the request for permission said, also after the turn has ended with end_turn.
# Who it hurts: clients that count calls that are not over: they show one at work for ever.
# What to know: end a call in the client when its permission is refused, and all that are left when the turn ends.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

for (const [decision, updates] of [
	['allow_once', ['completed']],
	['reject_once', []],
]) {
	const reply = n => ({parts: n === 1 ? [{run: 'touch new-file'}] : ['All right.']});
	const agent = await open('gemini', reply, {decision});
	const {result} = await agent.prompt('Make a file');
	await agent.close();
	const {toolCall} = agent.events.find(({kind}) => kind === 'asked').params;
	const [, second] = agent.events.filter(({isTurn}) => isTurn);
	console.log(`told to the model: ${JSON.stringify(second.body.contents.at(-1).parts)}`);
	same(`${decision}: the request says`, 'pending', toolCall.status);
	const statuses = agent.events
		.filter(({update}) => update?.toolCallId === toolCall.toolCallId)
		.map(({update}) => update.status);
	same(`${decision}: later updates say`, updates, statuses);
	same(`${decision}: the turn ends with`, 'end_turn', result.stopReason);
}
JS
