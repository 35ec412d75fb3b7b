#!/usr/bin/env bash
# Guess: the TypeScript SDK of ACP hands updates to the client's handler one after another, and a prompt's promise resolves
# when the handler is through with those that came before the answer, since they came in this order.
# What happens: it begins each update as it comes and waits for none. An async handler is in the middle of the first when
# the second begins, ends with them in another order, and the prompt resolves before all of them.
# Who it hurts: clients whose handler awaits something (a file, a database, a screen): words change their order, and
# the end of a turn is written down before the turn's last words.
# What to know: put updates into a queue of your own without an await before it, and let the prompt's answer wait for it.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/sdk@2.4.0
own_home
run_module <<'JS'
import {setTimeout as sleep} from 'node:timers/promises';
import {agent, client, ndJsonStream} from '@agentclientprotocol/sdk';
import {same} from './acp.mjs';

const words = ['one', 'two', 'three'];
const chunk = text => ({
	sessionId: 's',
	update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
});
const speaker = agent({name: 'speaker'})
	.onRequest('initialize', () => ({protocolVersion: 1, agentCapabilities: {}}))
	.onRequest('session/new', () => ({sessionId: 's'}))
	.onRequest('session/prompt', async ({client: listener}) => {
		for (const word of words) await listener.notify('session/update', chunk(word));
		return {stopReason: 'end_turn'};
	});

const seen = [];
let resolved;
const answered = new Promise(resolve => {
	resolved = resolve;
});
const handled = [];
// The first is the slowest: it waits for the two others, and all of them wait for the answer.
const listener = client({name: 'listener'}).onNotification('session/update', ({params}) => {
	const {text} = params.update.content;
	const work = async () => {
		seen.push(`begins ${text}`);
		await answered;
		if (text === 'one') await sleep(100);
		seen.push(`ends ${text}`);
	};
	handled.push(work());
	return handled.at(-1);
});

const [there, back] = [new TransformStream(), new TransformStream()];
speaker.connect(ndJsonStream(there.writable, back.readable));
await listener.connectWith(ndJsonStream(back.writable, there.readable), async context => {
	await context.request('initialize', {protocolVersion: 1, clientCapabilities: {}});
	await context.request('session/new', {cwd: '/', mcpServers: []});
	const prompt = [{type: 'text', text: 'Hello'}];
	const {stopReason} = await context.request('session/prompt', {sessionId: 's', prompt});
	seen.push(`answer ${stopReason}`);
	resolved();
	await Promise.all(handled);
});
same('what the client saw', 'begins one, begins two, begins three, answer end_turn, ends two, ends three, ends one', seen.join(', '));
JS
