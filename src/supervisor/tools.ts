import {rmdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {McpServer, McpServerStdio} from '@agentclientprotocol/sdk';
import type {z} from 'zod';
import {type AgentNotice, noticeBlock} from '../agents/launch-prompt.ts';
import {replyBlock} from '../agents/resume/reply-block.ts';
import {agentSocketPath} from '../control/path.ts';
import {type ControlServer, serve} from '../control/socket.ts';
import {awakeFor} from '../events/deadline.ts';
import type {Body} from '../events/event.ts';
import type {Reply} from '../events/reply.ts';
import {Failure} from '../lib/failure.ts';
import {isToken, newToken} from '../lib/loopback.ts';
import {cutTo} from '../lib/text/words.ts';
import {readCall} from '../signals/call.ts';
import type {Signal} from '../signals/index.ts';
import {meaningOf} from '../signals/meaning.ts';
import {heardOf} from '../state/agent/listening.ts';
import {blockingItems} from '../state/items.ts';
import {agentOf, heldBackText, itemOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {
	accessEnvironment,
	type CallResult,
	callRequest,
	type HeldNotice,
	serverRuns,
	type ToolAccess,
	toolServerCommand,
	toolServerName,
} from '../tools/access.ts';
import type {HttpTools, serveToolsOverHttp} from '../tools/serve-http.ts';
import type {SessionFolder} from './folder.ts';
import type {Notices} from './notices.ts';
import {createToolServers, type ToolServers} from './tool-servers.ts';
import {writePrivate} from './worktree/private-file.ts';

/** The tools of all agents of a session; each agent reaches its own through a private socket. */
export type Tools = Pick<HeldCalls, 'give' | 'letGo'> & {
	/** Returns the access to an agent's tools, and opens them on the first call. */
	readonly open: (agent: string) => Promise<ToolAccess>;
	/** Returns the command with which an agent in such an environment starts its tool server. */
	readonly serverFor: (
		agent: string,
		environment: Readonly<Record<string, string>>,
	) => Promise<McpServerStdio>;
	/** Returns the address at which an agent reaches its tools by HTTP. */
	readonly httpFor: (agent: string) => Promise<McpServer>;
	readonly servers: Omit<ToolServers, 'run'>;
	readonly close: () => Promise<void>;
};

export type ToolsParts = {
	readonly folder: SessionFolder;
	readonly version: string;
	/** Command that starts this program. */
	readonly program: readonly string[];
	readonly state: () => State;
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Pending notices, which the result of a call delivers. */
	readonly notices: Pick<Notices, 'take'>;
	/** Called when an agent gets the result of a call. */
	readonly onResult: (agent: string) => void;
};

/** Maximum length of a call's result, in bytes. */
const mostResult = 2000;

/** Maximum number of an agent's connections at a time: each may hold a mebibyte of an unfinished request, and each call has its own. */
const mostConnections = 64;

type Opened = {readonly access: ToolAccess; readonly server: ControlServer};

/**
Creates the tools of a session.

The socket identifies the agent: each agent has its own, in a folder that only its user can enter, and must present a token that no other agent has.
*/
export const createTools = ({
	folder,
	version,
	program,
	state,
	append,
	notices,
	onResult,
}: ToolsParts): Tools => {
	const opened = new Map<string, Promise<Opened>>();
	const overHttp = new Map<string, Promise<HttpTools>>();
	const servers = createToolServers();
	const {hold, give, letGo} = createHeldCalls();

	/** Handles a call as the signal that it stands for, and returns its result; a call that asks is held until a person answers. */
	const hear = async (
		id: string,
		{tool, fields}: CallRequest,
		tellHeld: (notice: HeldNotice) => void,
		gone: AbortSignal,
	): Promise<CallResult> => {
		const signal = readCall(tool, fields);
		if (signal === undefined) {
			throw new Failure('usage', `There is no tool ${tool}.`);
		}

		// First apply the events before the call, above all the start of its turn.
		await append([]);
		const turn = agentOf(state(), id)?.turn;
		if (turn?.phase !== 'live') {
			return betweenTurns;
		}

		const offset = await sizeOf(folder.agent(id).transcript(turn.number));
		await append([{kind: 'signal.said', agent: id, turn: turn.number, signal, offset, by: 'tool'}]);
		if (signal.kind === 'malformed') {
			return malformedResult(signal);
		}

		const agent = agentOf(state(), id);
		const items = agent ? heardOf(agent, signal).items : [];
		const listening = agent?.listening.find(call => call.items.some(item => items.includes(item)));
		if (listening === undefined) {
			return heardResult(state(), id, signal);
		}

		const result = hold({agent: id, signal, items: listening.items, gone});
		tellHeld({items: [...listening.items], forMs: awakeFor(state().awake, listening.until)});
		return result;
	};

	const openFor = async (agent: string): Promise<Opened> => {
		let kept = 0;
		/** Returns a result short enough that no agent's program cuts it; a file holds the full text of a long one. */
		const inShort = async (result: CallResult): Promise<CallResult> => {
			if (Buffer.byteLength(result.text) <= mostResult) {
				return result;
			}

			const name = `result-${++kept}.md`;
			const file = await writePrivate(folder.agent(agent).tree, name, result.text);
			if (file === undefined) {
				return result;
			}

			const end = `In full: ${file}`;
			return {
				...result,
				text: `${cutTo(result.text, mostResult - Buffer.byteLength(end))}\n${end}`,
			};
		};

		const access = {
			socket: agentSocketPath(`${folder.path}/${agent}`),
			token: newToken(),
		};
		const server = await serve({
			path: access.socket,
			most: mostConnections,
			version,
			handle: async (request, reply, gone) => {
				const call = readRequest(request, access.token);
				if ('runs' in call) {
					return servers.run(agent, gone);
				}

				const result = await hear(agent, call, reply, gone);
				onResult(agent);
				return gone.aborted ? result : inShort(withNotices(result, notices.take(agent)));
			},
		});
		return {access, server};
	};

	const open = async (agent: string): Promise<ToolAccess> =>
		(await keptIn(opened, agent, () => openFor(agent))).access;

	return {
		give,
		letGo,
		open,
		servers,
		serverFor: async (agent, environment) => toolServer(program, await open(agent), environment),
		httpFor: async agent => {
			const onListed = () => void servers.run(agent);
			const serve = async () => serveOverHttp(await open(agent), {version, onListed});
			return (await keptIn(overHttp, agent, serve)).server;
		},
		close: async () => {
			const all = await Promise.allSettled(opened.values());
			opened.clear();
			await Promise.allSettled([...overHttp.values()].map(async served => (await served).close()));
			overHttp.clear();
			await Promise.all(
				all.map(async one => {
					if (one.status === 'fulfilled') {
						const {access, server} = one.value;
						await server.close();
						await rmdir(dirname(access.socket)).catch(() => {});
					}
				}),
			);
		},
	};
};

/** Imports the HTTP library only when an agent needs it, which is rare. */
const serveOverHttp = async (...parts: Parameters<typeof serveToolsOverHttp>): Promise<HttpTools> =>
	(await import('../tools/serve-http.ts')).serveToolsOverHttp(...parts);

/** Returns an agent's kept value, or makes it; a failed one is made again the next time. */
const keptIn = <What>(
	kept: Map<string, Promise<What>>,
	agent: string,
	make: () => Promise<What>,
): Promise<What> => {
	const making = kept.get(agent) ?? make();
	kept.set(agent, making);
	making.catch(() => kept.delete(agent));
	return making;
};

/** Returns the length of a file in bytes, or 0 if there is no such file. */
export const sizeOf = async (path: string): Promise<number> =>
	stat(path).then(
		({size}) => size,
		() => 0,
	);

/** Environment variables that identify an agent's processes, so that they are found when the agent ends. */
export const marks = ['DELEGATE_SESSION', 'DELEGATE_TURN'];

/**
Returns the command with which an agent starts its tool server: the command of this program.

Agents start servers with a bare environment, so the command sets the marks of the agent's processes itself.
*/
const toolServer = (
	[command = '', ...words]: readonly string[],
	access: ToolAccess,
	environment: Readonly<Record<string, string>>,
): McpServerStdio => {
	const marked = Object.entries(environment).filter(([name]) => marks.includes(name));
	return {
		name: toolServerName,
		command,
		args: [...words, toolServerCommand],
		env: [...Object.entries(accessEnvironment(access)), ...marked].map(([name, value]) => ({
			name,
			value,
		})),
	};
};

type CallRequest = z.output<typeof callRequest>;

const readRequest = (request: unknown, token: string) => {
	const parsed = serverRuns.or(callRequest).safeParse(request);
	if (!parsed.success) {
		throw new Failure('usage', 'This is not a tool call.', {
			hint: 'the agent and its supervisor may be of different versions',
		});
	}

	if (!isToken(token, parsed.data.token)) {
		throw new Failure('refused', 'This token does not belong to this agent.', {
			hint: 'a tool server that an earlier supervisor started no longer works',
		});
	}

	return parsed.data;
};

/** Calls of agents that wait for a person. */
type HeldCalls = {
	/** Waits for the result of a call that asked the questions of these items. */
	readonly hold: (call: Held) => Promise<CallResult>;
	/** Passes replies to the calls that wait for them; returns the items whose replies were taken. */
	readonly give: (agent: string, replies: readonly Reply[]) => readonly string[];
	/** Parks the calls that should no longer wait according to the state. */
	readonly letGo: (state: State) => void;
};

type Held = {
	readonly agent: string;
	readonly signal: Signal;
	readonly items: readonly string[];
	/** Aborts when the agent stops listening. */
	readonly gone: AbortSignal;
};

type Waiting = Held & {readonly settle: (result: CallResult) => void};

/** Creates the set of waiting calls; the state limits how long each waits. */
export const createHeldCalls = (): HeldCalls => {
	const waiting = new Set<Waiting>();

	const settle = (call: Waiting, result: CallResult): void => {
		waiting.delete(call);
		call.settle(result);
	};

	return {
		hold: held =>
			new Promise(resolve => {
				const call = {...held, settle: resolve};
				waiting.add(call);
				const abandon = (): void => settle(call, parkedResult(held.signal, held.items));
				held.gone.addEventListener('abort', abandon, {once: true});
				if (held.gone.aborted) {
					abandon();
				}
			}),
		give: (agent, replies) => {
			const taken: string[] = [];
			for (const call of [...waiting].filter(call => call.agent === agent)) {
				const own = replies.filter(({item}) => call.items.includes(item));
				if (own.length > 0) {
					taken.push(...own.map(({item}) => item));
					settle(call, {text: own.map(replyBlock).join('\n\n'), isError: false});
				}
			}

			return taken;
		},
		letGo: state => {
			for (const call of [...waiting].filter(call => !isListening(state, call))) {
				settle(call, parkedResult(call.signal, call.items));
			}
		},
	};
};

const isListening = (state: State, {agent, items}: Held): boolean =>
	agentOf(state, agent)?.listening.some(call => items.some(item => call.items.includes(item))) ??
	false;

/** Returns the result for a call that was recorded and needs no live answer. */
const heardResult = (state: State, id: string, signal: Signal): CallResult => {
	const agent = agentOf(state, id);
	if (agent === undefined || meaningOf(signal).kind === 'informs') {
		return {text: 'Noted. Go on.', isError: false};
	}

	if (agent.outcome !== undefined) {
		return {text: 'Noted. End your turn now; a person looks at your work.', isError: false};
	}

	const {items} = heardOf(agent, signal);
	const waiting = items.filter(item => itemOf(state, item) !== undefined);
	const isHeld = blockingItems(state, agent).some(({id}) => items.includes(id));
	if (isHeld) {
		return parkedResult(signal, waiting);
	}

	if (waiting.length === 0 && agent.replies.some(reply => reply.heldBack)) {
		return {text: heldBackText, isError: false};
	}

	return waiting.length > 0
		? {text: `${asked(signal, waiting)} Go on meanwhile; you will be told.`, isError: false}
		: {text: 'It is decided already. End your turn now; you will be told.', isError: false};
};

/** Returns the result for a call that must not wait any longer. */
const parkedResult = (signal: Signal, items: readonly string[]): CallResult => ({
	text: `Parked. ${asked(signal, items)} End your turn now; you will be prompted with the decision.`,
	isError: false,
});

/** Prepends notices to a result: they are delivered once, and the end of a long result is cut. */
const withNotices = (result: CallResult, notices: readonly AgentNotice[]): CallResult =>
	notices.length === 0 ? result : {...result, text: `${noticeBlock(notices)}\n\n${result.text}`};

const malformedResult = ({reason}: Extract<Signal, {kind: 'malformed'}>): CallResult => ({
	text: `It was not understood. ${reason} Call the tool again.`,
	isError: true,
});

/** Result of a call between turns, which belongs to no turn. */
const betweenTurns: CallResult = {
	text: 'Nobody listens between your turns. Say it when you are prompted.',
	isError: true,
};

const asked = (signal: Signal, items: readonly string[]): string => {
	const meaning = meaningOf(signal);
	const answer = meaning.kind === 'asks' ? meaning.answer : 'A person decides on';
	return `${answer} ${items.join(', ')}.`;
};
