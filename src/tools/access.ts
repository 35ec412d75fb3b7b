import {z} from 'zod';
import {Failure} from '../lib/failure.ts';

/** Access of an agent to its supervisor; the token is its identity. */
export type ToolAccess = {readonly socket: string; readonly token: string};

/** Name of our tool server, as agents show it. */
export const toolServerName = 'delegate-tui';

/** Hidden command that runs the server. */
export const toolServerCommand = 'agent-tools';

/** Returns the server's environment variables for its access. */
export const accessEnvironment = ({
	socket,
	token,
}: ToolAccess): Readonly<Record<string, string>> => ({
	DELEGATE_MCP_SOCKET: socket,
	DELEGATE_MCP_TOKEN: token,
});

/**
Reads the access from the environment.

@throws `Failure` of kind `usage` if there is none.
*/
export const accessFrom = ({
	DELEGATE_MCP_SOCKET: socket,
	DELEGATE_MCP_TOKEN: token,
}: Readonly<Record<string, string | undefined>>): ToolAccess => {
	if (!socket || !token) {
		throw new Failure('usage', 'The server of tools was started without an agent.', {
			hint: 'it is started by agents; DELEGATE_MCP_SOCKET and DELEGATE_MCP_TOKEN say for which one',
		});
	}

	return {socket, token};
};

/** A request to the supervisor: one call of a tool. */
export const callRequest = z.object({
	token: z.string(),
	tool: z.string().max(100),
	fields: z.record(z.string(), z.unknown()),
});

/** A request that lasts as long as the server of an agent's tools runs. */
export const serverRuns = z.object({token: z.string(), runs: z.literal(true)});

/** The result of a call, for the agent. */
export const callResult = z.object({text: z.string(), isError: z.boolean()});
export type CallResult = z.infer<typeof callResult>;

/** Sent once, ahead of the result, when a call is held open for a person. */
export const heldNotice = z.object({items: z.array(z.string()), forMs: z.number()});
export type HeldNotice = z.infer<typeof heldNotice>;
