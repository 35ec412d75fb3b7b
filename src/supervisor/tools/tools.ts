import {randomBytes} from 'node:crypto';
import {rmdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import {agentSocketPath} from '../../control/path.ts';
import {type ControlServer, serve} from '../../control/socket.ts';
import type {Body} from '../../events/event.ts';
import type {State} from '../../state/state.ts';
import type {ToolAccess} from '../../tools/access.ts';
import type {SessionFolder} from '../folder.ts';
import type {Notices} from '../notices.ts';
import {withNotices} from './answer-words.ts';
import {hearCall} from './hear-call.ts';
import {createHeldCalls, type HeldCalls} from './held-calls.ts';
import {toolServer} from './tool-server.ts';

/** The tools of all agents of a session, each behind a private socket of its agent. */
export type Tools = Pick<HeldCalls, 'give' | 'letGo'> & {
	/** Returns the way to an agent's tools, which are opened when nobody has asked for it before. */
	readonly open: (agent: string) => Promise<ToolAccess>;
	/** Returns how an agent in such an environment starts the server of its tools. */
	readonly serverFor: (
		agent: string,
		environment: Readonly<Record<string, string>>,
	) => Promise<McpServerStdio>;
	/** Closes all sockets. */
	readonly close: () => Promise<void>;
};

export type ToolsParts = {
	readonly folder: SessionFolder;
	readonly version: string;
	/** The command that starts this program. */
	readonly program: readonly string[];
	readonly state: () => State;
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** What agents are still to be told; the result of a call is one way to do so. */
	readonly notices: Pick<Notices, 'take'>;
	/** Called when an agent is given the result of a call. */
	readonly onResult: (agent: string) => void;
};

type Opened = {readonly access: ToolAccess; readonly server: ControlServer};

/**
Creates the tools of a session.

Who speaks is told by the socket: each agent has its own, in a folder that only its user can enter, and must show a token that only it was given.
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
	const {hold, give, letGo} = createHeldCalls();

	const openFor = async (agent: string): Promise<Opened> => {
		const access = {
			socket: agentSocketPath(`${folder.path}/${agent}`),
			token: randomBytes(32).toString('base64url'),
		};
		const {transcript} = folder.agent(agent);
		const server = await serve({
			path: access.socket,
			version,
			handle: async (request, reply, gone) => {
				const result = await hearCall(
					{
						agent,
						token: access.token,
						state,
						append,
						hold,
						saidBytes: turn => sizeOf(transcript(turn)),
					},
					request,
					{held: reply, gone},
				);
				onResult(agent);
				return gone.aborted ? result : withNotices(result, notices.take(agent));
			},
		});
		return {access, server};
	};

	const open = async (agent: string): Promise<ToolAccess> => {
		const opening = opened.get(agent) ?? openFor(agent);
		opened.set(agent, opening);
		// One that could not be opened is tried again the next time.
		opening.catch(() => opened.delete(agent));
		return (await opening).access;
	};

	return {
		give,
		letGo,
		open,
		serverFor: async (agent, environment) => toolServer(program, await open(agent), environment),
		close: async () => {
			const all = await Promise.allSettled(opened.values());
			opened.clear();
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

const sizeOf = async (path: string): Promise<number> =>
	stat(path).then(
		({size}) => size,
		() => 0,
	);
