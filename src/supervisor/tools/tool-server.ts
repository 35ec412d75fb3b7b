import type {McpServerStdio} from '@agentclientprotocol/sdk';
import {
	accessEnvironment,
	type ToolAccess,
	toolServerCommand,
	toolServerName,
} from '../../tools/access.ts';

/** Entries by which the processes of an agent are known, and found when it is ended. */
export const marks = ['DELEGATE_SESSION', 'DELEGATE_TURN'];

/**
Returns how an agent starts the server of its tools: by the command that starts this program.

Agents start servers with a bare environment, so it carries the marks of the agent's processes itself.
*/
export const toolServer = (
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
