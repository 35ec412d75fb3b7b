import {randomUUID} from 'node:crypto';
import type {Readable, Writable} from 'node:stream';
import {Readable as WebReadable, Writable as WebWritable} from 'node:stream';
import {
	type AgentContext,
	agent,
	type McpServerStdio,
	methods,
	type NewSessionRequest,
	ndJsonStream,
	PROTOCOL_VERSION,
	RequestError,
} from '@agentclientprotocol/sdk';
import {clientOf} from './client.ts';
import {emptyMemory, type Memory, recall, remember} from './memory.ts';
import {play} from './play.ts';
import type {Scene} from './scene.ts';
import {wordsOf} from './words.ts';

/** What a scripted agent is made of. */
export type ScriptedAgent = {
	readonly scene: Scene;
	/** Factor by which waits are stretched. */
	readonly pace: number;
	readonly input: Readable;
	readonly output: Writable;
	readonly crash: (code: number, complaint: string) => never;
};

/** Where a conversation takes place, and with what. */
type Given = Pick<NewSessionRequest, 'cwd' | 'mcpServers'>;

/** A conversation that is open in this process. */
type Open = {
	readonly directory: string;
	readonly tools: readonly McpServerStdio[];
	cancel: AbortController;
};

/**
Serves a scene over the Agent Client Protocol until the other side goes away.

It behaves as real agents do: it works in the folder it is given, asks before it writes or runs something, keeps its conversations beyond its process, and plays what was said once more when one is loaded.
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

	const connection = agent({name: 'scripted-agent'})
		.onRequest(methods.agent.initialize, () => ({
			protocolVersion: PROTOCOL_VERSION,
			agentCapabilities: {loadSession: true},
			agentInfo: {name: 'scripted-agent', version: '1'},
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
				content: {type: 'text', text: wordsOf(step) ?? ''},
			},
		});
	}
};
