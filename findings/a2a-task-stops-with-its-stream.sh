#!/usr/bin/env bash
# Guess: an A2A task is the server's. If the client that began it by a stream goes away, the agent works on, and what it makes is
# in the task: that's what tasks/get and tasks/resubscribe are for.
# What happens: the agent does work on. But in the A2A JavaScript SDK the one stream that began the task also keeps its record: once
# nobody reads it, the task stays as it was at that moment, "working", for good. A client that resubscribes gets all further events, to
# "completed", and tasks/get still says working, without the artifacts; nothing mends it later. The SDK's own handler for Express reads
# on when a client has gone; where the stream is handed to the Web's ReadableStream, it is ended with the client.
# Who it hurts: those who serve agents by Hono, Next or Workers, whose clients close a tab or lose the network: work that is done is
# never seen, and a supervisor waits for a task that has ended.
# What to know: read the stream to its end yourself, and hand a copy on: `stream.tee()` with one branch that is read in the server.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @a2a-js/sdk@1.3.0
own_home
run_module <<'JS'
import {Role, TaskState} from '@a2a-js/sdk';
import {AgentEvent, DefaultRequestHandler, InMemoryTaskStore, ServerCallContext, UnauthenticatedUser} from '@a2a-js/sdk/server';
import {same} from './acp.mjs';

const metadata = undefined;
const part = text => ({content: {$case: 'text', value: text}, metadata, filename: '', mediaType: 'text/plain'});
const status = state => ({state, message: undefined, timestamp: new Date().toISOString()});
const card = {
	...{name: 'lab', description: '', version: '1.0.0', skills: [], signatures: [], securitySchemes: {}, securityRequirements: []},
	supportedInterfaces: [{url: 'http://127.0.0.1', protocolBinding: 'JSONRPC', protocolVersion: '1.0'}],
	capabilities: {streaming: true, pushNotifications: false, extensions: []},
	...{defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain']},
};
const context = () => new ServerCallContext({requestedVersion: '1.0', user: new UnauthenticatedUser()});
const told = ({status: {state}, artifacts}) => `${TaskState[state]}; artifacts: ${artifacts.map(it => it.artifactId).join(', ')}`;

const run = async keep => {
	const goOn = Promise.withResolvers();
	const agent = {
		cancelTask: async () => {},
		async execute({taskId, contextId, userMessage}, bus) {
			const ids = {taskId, contextId};
			const working = status(TaskState.TASK_STATE_WORKING);
			bus.publish(AgentEvent.task({id: taskId, contextId, status: working, artifacts: [], history: [userMessage], metadata}));
			await goOn.promise;
			const artifact = {artifactId: 'work', name: '', description: '', parts: [part('work')], metadata, extensions: []};
			bus.publish(AgentEvent.artifactUpdate({...ids, artifact, append: false, lastChunk: true, metadata}));
			bus.publish(AgentEvent.statusUpdate({...ids, status: status(TaskState.TASK_STATE_COMPLETED), metadata}));
		},
	};
	const server = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent);
	const message = {messageId: '1', role: Role.ROLE_USER, parts: [part('work')], taskId: '', contextId: '', extensions: [], referenceTaskIds: [], metadata};
	const stream = ReadableStream.from(server.sendMessageStream({tenant: '', message, configuration: {acceptedOutputModes: []}, metadata}, context()));
	const [sent, kept] = keep ? stream.tee() : [stream];
	const client = sent.getReader();
	const {id} = (await client.read()).value.payload.value;
	const record = kept && Array.fromAsync(kept);
	// With a copy that is read on, only the client's own branch is left alone.
	const gone = client.cancel();
	const events = [];
	const other = server.resubscribe({tenant: '', id}, context());
	events.push((await other.next()).value.payload.$case);
	goOn.resolve();
	for await (const {payload} of other) events.push(payload.value.status ? TaskState[payload.value.status.state] : payload.$case);
	await Promise.all([gone, record]);
	await new Promise(resolve => setTimeout(resolve, 200));
	return [events.join(', '), told(await server.getTask({tenant: '', id}, context()))];
};

const events = 'task, artifactUpdate, TASK_STATE_COMPLETED';
same('the client goes: what another hears, and the task', [events, 'TASK_STATE_WORKING; artifacts: '], await run(false));
same('with a copy that is read: the same', [events, 'TASK_STATE_COMPLETED; artifacts: work'], await run(true));
JS
