import {setTimeout} from 'node:timers/promises';
import {
	type McpServer,
	methods,
	type NewSessionRequest,
	RequestError,
} from '@agentclientprotocol/sdk';
import {defined} from '../../lib/defined.ts';
import type {Connection} from './connection.ts';
import type {Opening} from './conversation.ts';
import {setMode} from './mode.ts';
import {hearReplay, type Wait} from './replay.ts';

/** Opens a conversation in an agent that runs: the earlier one where it can go on with it, else a new one. Returns the agent's name for it. */
export const openSession = async (
	connection: Connection,
	opening: Opening,
	signal: AbortSignal,
): Promise<string> => {
	const {earlier, quirks, onUnmet = () => {}} = opening;
	const mode = opening.mode ?? quirks?.mode;
	const options = {cancellationSignal: signal, stopWaitingOnCancel: true};
	const taken = takenBy(connection, opening.servers ?? []);
	for (const {name} of opening.servers?.filter(server => !taken.includes(server)) ?? []) {
		onUnmet(`It takes no servers on the network of its kind, so it is not handed ${name}.`);
	}

	const request = requestOf(connection, {...opening, servers: taken});
	const ready = async (sessionId: string, opened: unknown): Promise<string> => {
		const isSet = await setMode(connection, sessionId, {mode, opened, signal});
		if (opening.mode !== undefined && !isSet) {
			onUnmet(`It offers no mode ${opening.mode}; it works in its usual one.`);
			await setMode(connection, sessionId, {mode: quirks?.mode, opened, signal});
		}

		return sessionId;
	};

	if (earlier !== undefined) {
		for (const method of waysBack(connection)) {
			const replay = hearReplay(connection, quirks ?? {}, opening.wait ?? waitOut);
			const back = await connection.agent
				.request(method, {...request, sessionId: earlier}, options)
				.then(opened => ({opened}), unlessForgotten);
			if (back) {
				await (method === methods.agent.session.load && replay.over(signal));
				return ready(earlier, back.opened);
			}
		}
	}

	const fresh = await connection.agent.request(methods.agent.session.new, request, options);
	return ready(fresh.sessionId, fresh);
};

const waitOut: Wait = (ms, signal) => setTimeout(ms, undefined, {signal});

/** An agent says which servers on the network it can talk to; programs are taken by all. */
const takenBy = (
	{capabilities: {mcpCapabilities: {http = false, sse = false} = {}}}: Connection,
	servers: readonly McpServer[],
): readonly McpServer[] => {
	const takes = {http, sse};
	return servers.filter(server => !('type' in server) || takes[server.type]);
};

/** Words that outlast what the agent forgets are sent where it says that it takes them. */
const requestOf = (
	{capabilities}: Connection,
	{directory: cwd, tools = [], servers = [], quirks: {meta, reminder} = {}}: Opening,
): NewSessionRequest => {
	return {
		cwd,
		mcpServers: [...tools, ...servers],
		...defined({_meta: meta && {...meta}}),
		...(reminder === undefined || !keepsWords(capabilities)
			? {}
			: {systemPrompt: {mode: 'append', content: [{type: 'text', text: reminder}]}}),
	};
};

/** Whether an agent can be given words that outlast what it forgets. */
export const keepsWords = ({sessionCapabilities}: Connection['capabilities']): boolean =>
	'systemPrompt' in (sessionCapabilities ?? {});

/** Resuming is preferred, since loading plays all that was said once more. */
const waysBack = ({capabilities: {loadSession, sessionCapabilities}}: Connection) => [
	...(sessionCapabilities?.resume == null ? [] : [methods.agent.session.resume]),
	...(loadSession ? [methods.agent.session.load] : []),
];

const notLoggedIn = -32000;
const cancelledCode = -32800;

/** A conversation that the agent no longer knows is given up; any other trouble would meet a new one, too. */
const unlessForgotten = (error: unknown): undefined => {
	if (error instanceof RequestError && error.code !== notLoggedIn && error.code !== cancelledCode) {
		return undefined;
	}

	throw error;
};
