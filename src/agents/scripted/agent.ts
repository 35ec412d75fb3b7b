import {randomUUID} from 'node:crypto';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {
	type Readable,
	Readable as WebReadable,
	Writable as WebWritable,
	type Writable,
} from 'node:stream';
import {
	type AgentContext,
	agent,
	type McpServerStdio,
	methods,
	type NewSessionRequest,
	ndJsonStream,
	PROTOCOL_VERSION,
	RequestError,
	type StopReason,
} from '@agentclientprotocol/sdk';
import {execa} from 'execa';
import {z} from 'zod';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {type Client, clientOf, type Leave, type ScriptedCall} from './client.ts';
import {playerName, type Scene, type SceneStep} from './scene.ts';
import {callTool} from './tool-client.ts';
import {answersIn, endsTurn, filledIn, isTurnToEnd, spokenWords} from './words.ts';

export type ScriptedAgent = {
	readonly scene: Scene;
	/** Factor that stretches waits. */
	readonly pace: number;
	readonly input: Readable;
	readonly output: Writable;
	readonly crash: (code: number, complaint: string) => never;
};

/** Working directory and tool servers of a conversation. */
type Given = Pick<NewSessionRequest, 'cwd' | 'mcpServers'>;

/** A conversation that is open in this process. */
type Open = {
	readonly directory: string;
	readonly tools: readonly McpServerStdio[];
	cancel: AbortController;
};

/**
Serves a scene over the Agent Client Protocol until the client disconnects.

It behaves like real agents: it works in the given folder, asks before it writes or runs something, stores its conversations beyond its process, and replays one when it is loaded.
*/
export const serveScene = async (parts: ScriptedAgent): Promise<void> => {
	const {scene, pace, crash} = parts;
	const open = new Map<string, Open>();
	let said = 0;
	const messages = (): string => `message-${++said}`;

	const begin = (id: string, {cwd, mcpServers}: Given): void => {
		const tools = mcpServers.filter(server => 'command' in server);
		open.set(id, {directory: cwd, tools, cancel: new AbortController()});
	};

	const takeUp = async (id: string, given: Given): Promise<Memory> => {
		const memory = await recall(id);
		if (memory === undefined) {
			throw RequestError.sessionNotFound(id);
		}

		begin(id, given);
		return memory;
	};

	const connection = agent({name: playerName})
		.onRequest(methods.agent.initialize, () => ({
			protocolVersion: PROTOCOL_VERSION,
			agentCapabilities: {loadSession: true},
			agentInfo: {name: playerName, version: '1'},
			authMethods: [],
		}))
		.onRequest(methods.agent.session.new, async ({params}) => {
			const sessionId = randomUUID();
			begin(sessionId, params);
			await remember(sessionId, emptyMemory);
			return {sessionId};
		})
		.onRequest(methods.agent.session.load, async ({params, client}) => {
			const {position} = await takeUp(params.sessionId, params);
			await replay(client, params.sessionId, scene, position);
			return {};
		})
		.onRequest(methods.agent.session.prompt, async ({params, client}) => {
			const {sessionId, prompt} = params;
			const conversation = open.get(sessionId);
			if (!conversation) {
				throw RequestError.sessionNotFound(sessionId);
			}

			conversation.cancel = new AbortController();
			const text = prompt.map(block => (block.type === 'text' ? block.text : '')).join('\n');
			const stopReason = await play(
				{
					scene,
					pace,
					crash,
					directory: conversation.directory,
					tools: conversation.tools,
					name: sessionId,
					client: clientOf(client, sessionId, messages, conversation.cancel.signal),
					remember: memory => remember(sessionId, memory),
				},
				(await recall(sessionId)) ?? emptyMemory,
				text,
			);
			return {stopReason};
		})
		.onNotification(methods.agent.session.cancel, ({params}) => {
			open.get(params.sessionId)?.cancel.abort();
		})
		.connect(ndJsonStream(WebWritable.toWeb(parts.output), WebReadable.toWeb(parts.input)));
	await connection.closed;
	for (const {cancel} of open.values()) {
		cancel.abort();
	}
};

const replay = async (
	client: AgentContext,
	sessionId: string,
	{steps}: Scene,
	position: number,
): Promise<void> => {
	for (const step of steps.slice(0, position)) {
		await client.notify(methods.client.session.update, {
			sessionId,
			update: {
				sessionUpdate: 'agent_message_chunk',
				content: {type: 'text', text: spokenWords(step) ?? ''},
			},
		});
	}
};

export type Performance = {
	readonly scene: Scene;
	readonly directory: string;
	/** Tool servers that it got. */
	readonly tools: readonly McpServerStdio[];
	/** Distinguishes the tools of one conversation from another's. */
	readonly name: string;
	readonly client: Client;
	/** Factor that stretches waits. */
	readonly pace: number;
	/** Stores the progress in the scene; stored steps have happened. */
	readonly remember: (memory: Memory) => Promise<void>;
	/** Ends the process, with a last message on stderr. */
	readonly crash: (code: number, complaint: string) => never;
};

/** Plays a scene from its current step until it waits for a prompt, and returns why it stopped. */
const play = async (
	performance: Performance,
	memory: Memory,
	prompt: string,
): Promise<StopReason> => {
	const {scene, client, name, remember} = performance;
	const answers = {...memory.answers, ...answersIn(prompt)};
	const interlude = scene.interludes?.find(({says}) => prompt.includes(says));
	if (interlude !== undefined) {
		const {position} = memory;
		const keep: Passage['keep'] = (_, answers) => remember({position, answers});
		return playSteps(performance, {...interlude, from: 0, answers, name: `${name}-again`, keep});
	}

	const last = scene.steps.findLast(({verb}) => verb === 'complete');
	if (memory.position >= scene.steps.length && last !== undefined) {
		await client.say(spokenWords(last) ?? '');
		return 'end_turn';
	}

	const keep: Passage['keep'] = (position, answers) => remember({position, answers});
	return playSteps(performance, {
		steps: scene.steps,
		from: memory.position,
		answers,
		name,
		keep,
	});
};

/** Steps that are played one after the other. */
type Passage = {
	readonly steps: readonly SceneStep[];
	readonly from: number;
	readonly answers: Memory['answers'];
	/** Distinguishes its tools from those of other passages. */
	readonly name: string;
	/** Stores the number of completed steps, and the answers known by then. */
	readonly keep: (done: number, answers: Memory['answers']) => Promise<void>;
};

const playSteps = async (
	performance: Performance,
	{steps, from, name, keep, ...passage}: Passage,
): Promise<StopReason> => {
	const {scene, client} = performance;
	let {answers} = passage;
	for (let position = from; position < steps.length; position++) {
		const step = filledIn(steps[position], answers);
		if (step === undefined) {
			break;
		}

		if (step.verb === 'crash') {
			await keep(position + 1, answers);
			performance.crash(step.does.code, step.does.complaint);
		}

		const {leave, told} = await perform(performance, step, `${name}-${position}`);
		answers = {...answers, ...answersIn(told)};
		if (leave === 'cancelled' || client.isCancelled()) {
			return 'cancelled';
		}

		await keep(position + 1, answers);
		if (leave === 'refused' && scene.onRefusal !== 'go-on') {
			return scene.onRefusal === 'cancel' ? 'cancelled' : 'end_turn';
		}

		if (endsTurn(step) || isTurnToEnd(told)) {
			break;
		}
	}

	return 'end_turn';
};

/** Performs one step, and returns the text of a tool in it. */
const perform = async (
	performance: Performance,
	step: SceneStep,
	id: string,
): Promise<{readonly leave: Leave; readonly told: string}> => {
	const {client, directory, tools} = performance;
	const context = {client, directory, id, tools};
	return step.verb === 'tool'
		? call(context, step.does)
		: {leave: await act(performance, step, context), told: ''};
};

/** Performs a step without a tool; one that needs no permission counts as allowed. */
const act = async (
	{client, pace}: Performance,
	step: Exclude<SceneStep, {verb: 'tool'}>,
	context: ActionContext,
): Promise<Leave> => {
	switch (step.verb) {
		case 'think':
			await client.update({
				sessionUpdate: 'agent_thought_chunk',
				content: {type: 'text', text: step.does},
			});
			return 'allowed';
		case 'plan':
			await client.update({
				sessionUpdate: 'plan',
				entries: step.does.map(entry => ({...entry, priority: 'medium'})),
			});
			return 'allowed';
		case 'write':
			return write(context, step.does);
		case 'edit':
			return edit(context, step.does);
		case 'run':
			return run(context, step.does);
		case 'leave-scope':
			if (step.does.ask) {
				return write(context, step.does);
			}

			await sneak(context, step.does);
			return 'allowed';
		case 'wait':
			await client.pause(step.does * 1000 * pace);
			return 'allowed';
		case 'flood':
			for (let line = 0; line < step.does.lines && !client.isCancelled(); line++) {
				await client.say(`${step.does.line}\n`);
			}

			return 'allowed';
		default:
			await client.say(spokenWords(step) ?? '');
			return 'allowed';
	}
};

type ActionContext = {
	readonly directory: string;
	readonly id: string;
	readonly client: Client;
	/** Tool servers that it got. */
	readonly tools: readonly McpServerStdio[];
};

type File = {readonly path: string; readonly text: string};

/** Writes a file, if permitted. */
const write = (context: ActionContext, {path, text}: File): Promise<Leave> =>
	replaceText(context, `Write ${path}`, path, () => text);

/** Replaces a text in a file, if permitted; does nothing if it was replaced already. */
const edit = (
	context: ActionContext,
	{path, find, replace}: {readonly path: string; readonly find: string; readonly replace: string},
): Promise<Leave> =>
	replaceText(context, `Edit ${path}`, path, old => (old ?? '').replace(find, () => replace));

/** Writes a file without asking, as a shell command could. */
const sneak = async ({directory}: ActionContext, {path, text}: File): Promise<void> =>
	put(resolve(directory, path), text);

/** Runs a shell command, if permitted. */
const run = async (context: ActionContext, command: string): Promise<Leave> => {
	const {client, directory} = context;
	const action: ScriptedCall = {id: context.id, title: command, kind: 'execute', input: {command}};
	return carryOut(client, action, async () => {
		const {failed, all} = await execa({
			cwd: directory,
			shell: '/bin/sh',
			reject: false,
			stdin: 'ignore',
			all: true,
		})`${command}`;
		return {ok: !failed, output: all};
	});
};

/** Calls a tool of its first tool server, if permitted; also returns the tool's text. */
const call = async (
	context: ActionContext,
	{name, fields}: {readonly name: string; readonly fields: Readonly<Record<string, unknown>>},
): Promise<{readonly leave: Leave; readonly told: string}> => {
	const {client, directory, id} = context;
	const [server] = context.tools;
	if (server === undefined) {
		return {leave: 'allowed', told: ''};
	}

	const action: ScriptedCall = {id, title: name, kind: 'other', input: fields, server: server.name};
	let told = '';
	const leave = await carryOut(client, action, async () => {
		const result = await callTool({server, directory, name, fields, signal: client.signal});
		told = result.text;
		return {ok: !result.isError};
	});
	return {leave, told};
};

const replaceText = async (
	{client, directory, id}: ActionContext,
	title: string,
	path: string,
	change: (old: string | null) => string,
): Promise<Leave> => {
	const absolute = resolve(directory, path);
	const oldText = await readFile(absolute, 'utf8').catch(() => null);
	const newText = change(oldText);
	const input = {file_path: absolute};
	const action: ScriptedCall = {id, title, kind: 'edit', input, path: absolute, oldText, newText};
	return carryOut(client, action, async () => {
		await put(absolute, newText);
		return {ok: true};
	});
};

const carryOut = async (
	client: Client,
	action: ScriptedCall,
	act: () => Promise<{readonly ok: boolean; readonly output?: string}>,
): Promise<Leave> => {
	const leave = await client.askLeave(action);
	if (leave !== 'allowed') {
		await client.mark(action, 'failed');
		return leave;
	}

	await client.mark(action, 'in_progress');
	const {ok, output} = await act();
	await client.mark(action, ok ? 'completed' : 'failed', output);
	return leave;
};

const put = async (path: string, text: string): Promise<void> => {
	await mkdir(dirname(path), {recursive: true});
	await writeFile(path, text);
};

const memorySchema = z.object({
	/** Number of the next step, from 0. */
	position: z.int().min(0),
	/** Answers to its questions, by their ids. */
	answers: z.record(z.string(), z.string()),
});

type Memory = z.output<typeof memorySchema>;

const emptyMemory: Memory = {position: 0, answers: {}};

/** Returns the stored state of a conversation; `undefined` if there is none. */
const recall = async (conversation: string): Promise<Memory | undefined> => {
	if (!/^[\w-]+$/.test(conversation)) {
		return undefined;
	}

	const text = await readFile(memoryFileOf(conversation), 'utf8').catch(() => 'null');
	return memorySchema.safeParse(JSON.parse(text)).data;
};

/** Stores the state of a conversation, so that it outlives the process. */
const remember = async (conversation: string, memory: Memory): Promise<void> => {
	await mkdir(memoryFolder, {recursive: true, mode: 0o700});
	await writeAtomically(memoryFileOf(conversation), JSON.stringify(memory), {mode: 0o600});
};

/** In the temporary folder, since files in the worktree count as the agent's work. */
const memoryFolder = join(tmpdir(), 'delegate-tui-scripted');

const memoryFileOf = (conversation: string): string => join(memoryFolder, `${conversation}.json`);
