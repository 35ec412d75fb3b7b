#!/usr/bin/env bash
# Guess: `runAgent` of AG-UI's client rejects where the run failed (the event RUN_ERROR), where the stream is over before the run has
# said that it's finished, and where a change of the state (STATE_DELTA) doesn't fit the state that the client has.
# What happens: it resolves each time. After an error and after half an answer the promise and its messages look as after a run that
# went well. A change that doesn't fit is passed over with a warning on the console, and those behind it are applied, so that
# the state is one that the agent never had. An event that comes after the end of a run, which harms nobody, does reject.
# Who it hurts: anyone who awaits runAgent and saves, shows or sends on `newMessages`: an agent that broke down in the middle of a
# list has given a short list.
# What to know: hand runAgent a subscriber, and take a run for done if onRunFinishedEvent was called, for failed otherwise.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @ag-ui/client@1.0.0 @ag-ui/core@1.0.0
own_home
run_module <<'JS'
import {createServer} from 'node:http';
import {once} from 'node:events';
import {HttpAgent} from '@ag-ui/client';
import {same} from './acp.mjs';

const {error, warn} = console;
const start = [
	{type: 'RUN_STARTED', threadId: 't', runId: 'r'},
	{type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant'},
	{type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'first, second'},
];
const end = [
	{type: 'TEXT_MESSAGE_END', messageId: 'm'},
	{type: 'RUN_FINISHED', threadId: 't', runId: 'r'},
];
const states = [
	start[0],
	{type: 'STATE_SNAPSHOT', snapshot: {done: 0, left: 2}},
	{type: 'STATE_DELTA', delta: [{op: 'replace', path: '/done', value: 1}, {op: 'remove', path: '/started'}]},
	{type: 'STATE_DELTA', delta: [{op: 'replace', path: '/left', value: 1}]},
];
const late = {type: 'CUSTOM', name: 'late', value: 1};
const resolved = '{"newMessages":[{"id":"m","role":"assistant","content":"first, second"}]}';
const cases = [
	['a whole run', [...start, ...end], resolved, 'finished'],
	['RUN_ERROR', [...start, {type: 'RUN_ERROR', message: 'overloaded'}], resolved, 'error'],
	['a stream that ends early', start, resolved, ''],
	['a delta that does not fit', [...states, ...start.slice(1), ...end], resolved, 'finished'],
	['an event after the end', [...start, ...end, late], 'rejected', ''],
];
for (const [name, events, expected, told] of cases) {
	const server = createServer((_, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.end(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const agent = new HttpAgent({url: `http://127.0.0.1:${server.address().port}`});
	const heard = [];
	const listener = {
		onRunFinishedEvent() {
			heard.push('finished');
		},
		onRunErrorEvent() {
			heard.push('error');
		},
	};
	console.error = console.warn = () => {};
	const answer = await agent.runAgent({}, listener).then(JSON.stringify, () => 'rejected');
	Object.assign(console, {error, warn});
	same(`${name}: runAgent`, expected, answer);
	same(`${name}: what the subscriber hears`, told, heard.join(' '));
	if (events.includes(states[1])) same(`${name}: the state`, {done: 0, left: 1}, agent.state);
	server.closeAllConnections();
	server.close();
}
JS
