import type {McpServerStdio} from '@agentclientprotocol/sdk';

/** Name of the file that tells programs how to start the server of our tools, in the folder of a launch. */
export const toolConfigName = 'mcp.json';

/** Returns a server in the form in which most programs are told of servers in a file. */
export const toolConfig = ({name, command, args, env}: McpServerStdio) => ({
	mcpServers: {[name]: {command, args, env: environmentOf({env})}},
});

/** Returns the environment of a server by its names. */
export const environmentOf = ({
	env,
}: Pick<McpServerStdio, 'env'>): Readonly<Record<string, string>> =>
	Object.fromEntries(env.map(({name, value}) => [name, value]));
