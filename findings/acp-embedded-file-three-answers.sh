#!/usr/bin/env bash
# Guess: an agent that says embeddedContext takes embedded resources of both kinds that ACP knows, text and blob, or
# refuses one with an error, as it refuses an audio block.
# What happens: Claude takes the prompt without a blob: neither its bytes nor its name reach the model, and the turn ends
# well. Codex gives the model the bytes as base64 text in the middle of the prompt. Gemini gives them as data with their
# type.
# Who it hurts: people who attach a file: with Claude the model answers as if there were none; with Codex each byte is
# paid for as text.
# What to know: write a file that is not text into the work folder, and name its path in the prompt.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const mimeType = 'application/octet-stream';
const blob = Buffer.from('some bytes of a file').toString('base64');
const resource = {uri: 'file:///somewhere/data.bin', mimeType, blob};
const expected = {
	claude: {ends: 'end_turn', name: false, bytes: 'not sent'},
	codex: {ends: 'end_turn', name: true, bytes: 'in the text'},
	gemini: {ends: 'end_turn', name: true, bytes: 'as data'},
};

for (const name of ['claude', 'codex', 'gemini']) {
	const agent = await open(name, () => ({parts: ['All right.']}));
	const {result} = await agent.prompt('Look at this: ', {type: 'resource', resource});
	await agent.close();
	const {body} = agent.events.find(({isTurn}) => isTurn);
	const {content, parts} = (body.messages ?? body.input ?? body.contents).findLast(
		({role}) => role === 'user',
	);
	const sent = content ?? parts;
	const part = sent.find(value => JSON.stringify(value).includes(blob));
	same(name, expected[name], {
		ends: result.stopReason,
		name: JSON.stringify(sent).includes('data.bin'),
		bytes: part ? (part.text ? 'in the text' : 'as data') : 'not sent',
	});
}
JS
