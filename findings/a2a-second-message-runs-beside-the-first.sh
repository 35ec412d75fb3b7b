#!/usr/bin/env bash
# Guess: a message for an A2A task that is being worked on waits for that work, joins it, or is refused.
# What happens: the server of the A2A JavaScript SDK calls the agent a second time for the same task, while the first call runs.
# The call that first ends the task ends it for both: the second message is answered by the first one's result, as completed,
# and what the second call makes afterwards is dropped, without an error on either side.
# Who it hurts: agents that edit files, two of which are at work in one folder for one task; and the person who sent a correction
# meanwhile: it reads as done, and the work on it, which goes on, is in no result.
# What to know: an agent has to keep a queue for each task id of its own. A client waits for the task before it speaks again.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @a2a-js/sdk@1.3.0
own_home
run_module <<'JS'
import {Role, TaskState} from '@a2a-js/sdk';
import {AgentEvent, DefaultRequestHandler, InMemoryTaskStore, ServerCallContext, UnauthenticatedUser} from '@a2a-js/sdk/server';
import {same} from './acp.mjs';

const part = text => ({content: {$case: 'text', value: text}, metadata: undefined, filename: '', mediaType: 'text/plain'});
const message = (role, text, ids = {taskId: '', contextId: ''}) => ({
	messageId: text,
	role,
	parts: [part(text)],
	...ids,
	extensions: [],
	referenceTaskIds: [],
	metadata: undefined,
});
const metadata = undefined;
const status = (state, text, ids) => ({
	state,
	message: text === undefined ? undefined : message(Role.ROLE_AGENT, text, ids),
	timestamp: new Date().toISOString(),
});

/** Calls of the agent: each tells that it has begun, and ends when it is told to. */
const calls = [0, 1].map(() => ({begun: Promise.withResolvers(), told: Promise.withResolvers(), over: Promise.withResolvers()}));
let called = 0;
let running = 0;
const agent = {
	cancelTask: async () => {},
	execute: async ({taskId, contextId, userMessage, task}, bus) => {
		const [ids, number, {begun, told, over}] = [{taskId, contextId}, called + 1, calls[called++]];
		running += 1;
		if (!task) {
			const started = status(TaskState.TASK_STATE_WORKING);
			bus.publish(AgentEvent.task({id: taskId, contextId, status: started, artifacts: [], history: [userMessage], metadata}));
		}
		begun.resolve();
		await told.promise;
		running -= 1;
		const artifact = {artifactId: `of ${number}`, name: '', description: '', parts: [part('work')], metadata, extensions: []};
		bus.publish(AgentEvent.artifactUpdate({...ids, artifact, append: false, lastChunk: true, metadata}));
		const done = status(TaskState.TASK_STATE_COMPLETED, `done ${number}`, ids);
		bus.publish(AgentEvent.statusUpdate({...ids, status: done, metadata}));
		over.resolve();
	},
};

const card = {
	...{name: 'lab', description: '', version: '1.0.0', skills: [], signatures: [], securitySchemes: {}, securityRequirements: []},
	supportedInterfaces: [{url: 'http://127.0.0.1', protocolBinding: 'JSONRPC', protocolVersion: '1.0'}],
	capabilities: {streaming: true, pushNotifications: false, extensions: []},
	...{defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain']},
};
const server = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent);
const context = () => new ServerCallContext({requestedVersion: '1.0', user: new UnauthenticatedUser()});
const send = (text, ids, returnImmediately) =>
	server.sendMessage(
		{tenant: '', message: message(Role.ROLE_USER, text, ids), configuration: {acceptedOutputModes: [], returnImmediately}, metadata},
		context(),
	);
const words = ({parts}) => parts.map(({content}) => content.value).join('');
const told = ({status, history, artifacts}) =>
	`${TaskState[status.state]}; history: ${history.map(words).join(', ')}; artifacts: ${artifacts.map(it => it.artifactId).join(', ')}`;

const {id: taskId, contextId} = await send('begin', undefined, true);
await calls[0].begun.promise;
const answer = send('rather do this', {taskId, contextId}, false);
await calls[1].begun.promise;
same('calls of the agent for one task at once', 2, running);
calls[0].told.resolve();
const expected = 'TASK_STATE_COMPLETED; history: begin, rather do this, done 1; artifacts: of 1';
same('the answer to the second message', expected, told(await answer));
same('calls that still run', 1, running);
calls[1].told.resolve();
await calls[1].over.promise;
await new Promise(resolve => setTimeout(resolve, 200));
same('the task afterwards', expected, told(await server.getTask({tenant: '', id: taskId}, context())));
JS
